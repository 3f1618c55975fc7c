// Why the expected merge of a pull request is unknown, and how reliable a known one is.

import type { Queue } from '../api/types.ts';
import { formatCount, formatShare } from './numbers.ts';

type State = NonNullable<Queue['expected_merges']>;

export const MISSING: Record<Exclude<State, 'known'>, string> = {
  pending: 'it is being computed …',
  too_little_history: 'a forecast needs 14 days and 200 merges on this branch within the last 60 days.',
  too_many_events: 'this branch has more events than a forecast reads.',
  silent: 'no event has arrived for unusually long, so the queue may have changed.',
  failed: "it could not be computed; the server's log says why.",
};

/** Why a pull request has no expected merge. */
export function whyMissing(queue: Queue): string {
  const state = queue.expected_merges ?? 'too_little_history';
  return state === 'known' ? 'it merged in none of the replays.' : MISSING[state];
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
