// One sentence about a window, by fixed rules over its summary: what changed most, and which kind of waiting caused it.

import type { Figures } from '../api/types.ts';
import { formatChange, formatValue, plural } from './numbers.ts';
import { WAIT_LABELS, WAITS, type Wait } from './waits.ts';

export const FEW_STAYS = 20;
/** Smaller changes are within normal differences between weeks. */
const NOTABLE = 0.1;
const NOTABLE_POINTS = 0.03;
const SHARE_OF_CARRIER = 0.5;

export interface Asked {
  figures: Figures;
  comparedWith: string;
  inQueue: number | null;
}

export function sentence({ figures, comparedWith, inQueue }: Asked): string {
  const said = aboutTime(figures, comparedWith);
  return inQueue === null ? said : `${said} ${inQueue === 0 ? 'The queue is empty.' : `${inQueue} in queue.`}`;
}

function aboutTime(figures: Figures, comparedWith: string): string {
  const { time_in_queue_p50: p50, time_in_queue_p95: p95, failure_rate: failures } = figures;
  const values = `p50 ${formatValue(p50.value, 'seconds')}, p95 ${formatValue(p95.value, 'seconds')}`;
  if (p95.count === 0) return 'No pull request left the queue in this window.';
  if (p95.count < FEW_STAYS) return `Little data: ${plural(p95.count, 'stay')}, ${values}.`;
  if (p50.change === null || p95.change === null) return `So far ${values}; there is nothing to compare with yet.`;

  const isNotable = (change: number) => Math.abs(change) >= NOTABLE;
  if (isNotable(p50.change) && isNotable(p95.change) && p50.change * p95.change < 0) {
    return `Mixed compared with ${comparedWith}: ${changed('p50', p50)}, ${changed('p95', p95)}.`;
  }
  const [name, largest] = Math.abs(p50.change) > Math.abs(p95.change) ? ['p50', p50] : ['p95', p95];
  const change = largest.change ?? 0;
  if (isNotable(change)) {
    const direction = change > 0 ? 'Slower' : 'Faster';
    return `${direction} than ${comparedWith}: ${changed(name, largest)}${carriedBy(figures, Math.sign(change))}.`;
  }
  if (failures.change !== null && Math.abs(failures.change) >= NOTABLE_POINTS) {
    const direction = failures.change > 0 ? 'More' : 'Fewer';
    const points = formatChange(failures.change, 'rate');
    return `${direction} failures than ${comparedWith}: ${formatValue(failures.value, 'rate')} (${points}); ${values}.`;
  }
  return `Much like ${comparedWith}: ${values}.`;
}

function changed(name: string, figure: { value: number | null; change: number | null }): string {
  return `${name} ${formatValue(figure.value, 'seconds')} (${formatChange(figure.change, 'seconds')})`;
}

/** The kind of waiting that makes up at least half of the change of the mean. */
function carriedBy(figures: Figures, direction: number): string {
  const moved = WAITS.map((wait): [Wait, number] => [wait, difference(figures, wait) * direction]);
  const total = moved.reduce((sum, [, seconds]) => sum + Math.max(seconds, 0), 0);
  const [wait, seconds] = moved.reduce((most, one) => (one[1] > most[1] ? one : most));
  return total > 0 && seconds / total >= SHARE_OF_CARRIER ? `, mostly ${WAIT_LABELS[wait]}` : '';
}

function difference(figures: Figures, wait: Wait): number {
  const { value, before } = figures[`waiting_${wait}`];
  return (value ?? 0) - (before ?? 0);
}
