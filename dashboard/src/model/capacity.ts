// The capacity of a queue as a sentence.

import type { Capacity } from '../api/types.ts';
import { formatDuration } from './duration.ts';
import { formatValue } from './numbers.ts';

/** At how many pull requests a day p95 exceeds its limit under today's settings. */
export function capacitySentence({ today, limit, recorded_arrivals_per_day }: Capacity): string {
  const recorded = `${formatValue(recorded_arrivals_per_day, 'count')} a day were recorded`;
  const most = formatDuration(limit.time_to_merge_p95);
  if (today.exceeds_what_was_tried) {
    return `Even with ${formatValue(today.factor.value, 'count')} times the pull requests, p95 stays below ${most}; ${recorded}, and more was not tried.`;
  }
  const { value, low, high } = today.arrivals_per_day;
  const interval = `${formatValue(low, 'count')} to ${formatValue(high, 'count')}`;
  return `p95 exceeds ${most} at ${formatValue(value, 'count')} or more pull requests a day (${interval}); ${recorded}.`;
}
