// The level of a pinned period, which charts show as a dashed band.

import { FIGURES } from '../api/api-types.ts';
import type { FigureName, Figures, ReferencePeriod } from '../api/types.ts';
import type { Band } from './chart.ts';
import type { Compare } from './compare.ts';

type Level = Pick<ReferencePeriod, 'name' | 'base_ref' | 'queue_name' | 'pinned_at' | 'figures'>;

/** What the figures are compared with, if that is a pinned period. */
export function comparedBand(compare: Compare, figures: Figures, low: FigureName, high: FigureName): Band | null {
  if (typeof compare !== 'object') return null;
  const [least, most] = [figures[low].before, figures[high].before];
  return least === null || most === null ? null : { label: `pinned ${compare.pinned}`, low: least, high: most };
}

/** The newest reference period of the only queue on the page: alerts are raised against it. */
export function referenceBand(periods: readonly Level[], queues: readonly Pick<Level, 'base_ref' | 'queue_name'>[], figure: keyof Level['figures']): Band | null {
  const [queue, ...others] = queues;
  if (!queue || others.length > 0) return null;
  const [newest] = periods
    .filter((one) => one.base_ref === queue.base_ref && one.queue_name === queue.queue_name)
    .sort((one, other) => (one.pinned_at < other.pinned_at ? 1 : -1));
  const level = newest?.figures[figure] ?? null;
  return newest && level !== null ? { label: `${FIGURES[figure].short} in ${newest.name}`, low: level, high: level } : null;
}
