// The capacity of a queue as a sentence.

import type { Capacity } from '../api/types.ts';
import { formatDuration } from './duration.ts';
import { formatValue } from './numbers.ts';

/** At how many pull requests a day p95 exceeds its limit under today's settings. */
export function capacitySentence({ today, limit, recorded_arrivals_per_day }: Capacity): string {
  const recorded = `${formatValue(recorded_arrivals_per_day, 'count')} a day are recorded`;
  const most = formatDuration(limit.p95);
  if (today.exceeds_what_was_tried) {
    return `With ${formatValue(today.factor.value, 'count')} times the pull requests, p95 still stays below ${most}; ${recorded}, and more was not tried.`;
  }
  const { value, low, high } = today.arrivals_per_day;
  const interval = `${formatValue(low, 'count')} to ${formatValue(high, 'count')}`;
  return `p95 exceeds ${most} from ${formatValue(value, 'count')} pull requests a day on (${interval}); ${recorded}.`;
}
