// Whether a page is live: the stream is connected, and something arrived recently for this hour of the week. And what is wrong.

import type { Answers } from '../api/api-types.ts';
import { formatDuration } from './duration.ts';
import { plural } from './numbers.ts';

type Answer = Answers['GET /v1/repos/{owner}/{repository}/freshness'];
type Freshness = Pick<Answer, 'at' | 'newest_event_at' | 'quiet_after' | 'is_quiet' | 'polled'>;

export interface ShownFreshness {
  isLive: boolean;
  state: string;
  age: string;
}

/** `shown` writes an instant. What is polled is as old as the last question, whatever the page itself is connected to. */
export function freshnessOf(isConnected: boolean, fresh: Freshness | null, now: number, shown: (at: string) => string): ShownFreshness {
  const newest = fresh?.newest_event_at ?? null;
  const silence = newest === null ? '' : formatDuration(Math.max(0, (now - Date.parse(newest)) / 1000));
  const age = newest === null ? '' : `, newest event ${silence} ago`;
  if (!isConnected) return { isLive: false, state: 'not live', age };
  if (fresh === null) return { isLive: false, state: 'connected', age };
  if (newest === null) return { isLive: false, state: 'connected, no event yet', age };
  const isQuiet = fresh.quiet_after === null || now > Date.parse(fresh.quiet_after);
  const live = fresh.polled.length ? fresh.polled.map((one) => askedOf(one, shown)).join('; ') : 'live';
  return isQuiet ? { isLive: false, state: `connected, no event for ${silence}`, age: '' } : { isLive: true, state: live, age };
}

function askedOf(one: Answer['polled'][number], shown: (at: string) => string): string {
  const asked = one.asked_at === null ? 'has not been read yet' : `was asked at ${shown(one.asked_at)}`;
  return `${one.title} ${asked}${one.next_at === null ? '' : `, next at ${shown(one.next_at)}`}`;
}

/** Open alerts in words; empty without any. */
export function troubleOf(fresh: Pick<Answer, 'alerts'> | null): string {
  return fresh?.alerts ? plural(fresh.alerts, 'open alert') : '';
}
