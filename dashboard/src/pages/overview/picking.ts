// What clicks and drags on the charts of the overview do to the address.

import type { ChangeMark, Span } from '../../model/chart.ts';
import { zoomedInto } from '../../model/view.ts';
import { router } from '../../router.svelte.ts';

export const picking = {
  onpick: (span: Span): void => router.set({ at: span.start }),
  onchange: ({ at, figures }: ChangeMark): void => router.set({ why: at.slice(0, 10), figure: figures[0] ?? null }),
  onzoom: (span: Span): void => router.setView(zoomedInto(router.view, span)),
};
