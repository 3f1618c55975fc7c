// The time of a pull request without a CI run: what it waited for, as far as it is recorded.

import type { StayInDetail } from '../api/types.ts';
import { formatDuration } from './duration.ts';
import { spanOf } from './pull.ts';
import { labelOf } from './reasons.ts';
import { WAIT_LABELS, WAITS, type Wait } from './waits.ts';

type Idle = Exclude<Wait, 'ci'>;

export interface Gap {
  start: number;
  end: number;
  /** What it waited for, if that can only be one thing. */
  wait: Idle | null;
  text: string;
  textWithLength: string;
}

/** Shorter gaps are the usual seconds between a report and the next. */
const SHORTEST = 60_000;
const SMALLEST_SHARE = 0.01;
/** A kind of waiting of so few seconds explains no gap. */
const FEW_SECONDS = 30;

/** The gaps of a stay in the order of time. */
export function gapsOf(stay: StayInDetail, now: number): Gap[] {
  const { start, end } = spanOf(stay, now);
  const least = Math.max(SHORTEST, (end - start) * SMALLEST_SHARE);
  const waits = idleOf(stay);
  const gaps: Gap[] = [];
  let busyUntil = start;
  let before = 'before its first CI run';
  for (const check of [...stay.checks].sort((a, b) => began(a) - began(b))) {
    if (Number.isNaN(began(check))) continue;
    if (began(check) - busyUntil >= least) gaps.push(gap(busyUntil, began(check), before, waits, stay));
    const ended = check.ended_at === null ? end : Date.parse(check.ended_at);
    if (ended >= busyUntil) before = `after CI: ${check.outcome === null ? 'no result is known' : labelOf(check.outcome)}`;
    busyUntil = Math.max(busyUntil, ended);
  }
  if (end - busyUntil >= least) gaps.push(gap(busyUntil, end, stay.checks.length ? before : 'without a CI run', waits, stay));
  return gaps;
}

function began(check: StayInDetail['checks'][number]): number {
  return Date.parse(check.started_at ?? '');
}

function gap(start: number, end: number, when: string, waits: readonly Idle[], stay: StayInDetail): Gap {
  const wait = waits.length === 1 ? (waits[0] ?? null) : null;
  const text = `${when}${cause(waits, stay)}`;
  return { start, end, wait, text, textWithLength: `${formatDuration((end - start) / 1000)} ${text}` };
}

/** What the stay waited for besides CI. */
function idleOf(stay: StayInDetail): Idle[] {
  const { waiting } = stay;
  if (waiting === null) return [];
  return WAITS.filter((wait): wait is Idle => wait !== 'ci' && waiting[wait] >= FEW_SECONDS);
}

function cause(waits: readonly Idle[], stay: StayInDetail): string {
  if (waits.length === 0) return '';
  if (waits.length === 1) return `, waiting for ${WAIT_LABELS[waits[0] as Idle]}`;
  const parts = waits.map((wait) => `${WAIT_LABELS[wait]} (${formatDuration(stay.waiting?.[wait] ?? null)} of this stay)`);
  return `, waiting for ${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}

/** The time between a stay and the next one, which began later; null if it is unknown or none. */
export function between(earlier: StayInDetail, later: StayInDetail): { start: string; end: string; seconds: number } | null {
  if (earlier.left_at === null || later.entered_at === null) return null;
  const seconds = (Date.parse(later.entered_at) - Date.parse(earlier.left_at)) / 1000;
  return seconds > 0 ? { start: earlier.left_at, end: later.entered_at, seconds } : null;
}
