// What clicks and drags on the charts of the overview do to the address.

import type { Span } from '../../model/chart.ts';
import { zoomedInto } from '../../model/view.ts';
import { router } from '../../router.svelte.ts';

export const picking = {
  onpick: (span: Span): void => router.set({ at: span.start }),
  onzoom: (span: Span): void => router.setView(zoomedInto(router.view, span)),
};
