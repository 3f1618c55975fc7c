// Why the expected merge of a pull request is unknown, and how reliable a known one is.

import { UNKNOWN_MERGE_WORDS } from '../api/api-types.ts';
import type { Queue } from '../api/types.ts';
import { formatCount, formatShare } from './numbers.ts';

type State = NonNullable<Queue['expected_merges']>;

export const MISSING: Record<State, string> = UNKNOWN_MERGE_WORDS;

/** Why a pull request has no expected merge. */
export function whyMissing(queue: Queue): string {
  return MISSING[queue.expected_merges ?? 'too_little_history'];
}

/** The line below a queue, if there is something to say. */
export function expectedNote(queue: Queue): string | null {
  if (queue.entries.some((entry) => !entry.expected_merge)) return `No expected merge: ${whyMissing(queue)}`;
  const eta = queue.trust?.eta;
  if (!eta) return null;
  const { p50_range: first, p90_range: second } = eta;
  const ranges = [first, second].map((range) => range && `${formatShare(range.low)} to ${formatShare(range.high)}`);
  const weeks = first && second ? `; depending on the weeks, ${ranges.join(' and ')}` : '';
  return `Of ${formatCount(eta.cases)} past pull requests, ${formatShare(eta.p50)} merged before the first time given and ${formatShare(eta.p90)} before the second${weeks}.`;
}
