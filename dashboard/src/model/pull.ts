// The story of one pull request in the queue.

import type { Check, StayInDetail } from '../api/types.ts';
import { formatDuration } from './duration.ts';
import { isMerged, labelOf } from './reasons.ts';
import { WAIT_LABELS, WAITS, type Wait } from './waits.ts';

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
/** A kind of waiting is mentioned from this share of the stay on. */
const NOTABLE_SHARE = 0.2;

/** One or two sentences about the newest stay, and how many there were before it. */
export function story(number: number, stays: readonly StayInDetail[], now: number): string {
  const [newest] = stays;
  if (!newest) return `#${number} has not been in a queue.`;
  const tries = stays.length === 1 ? '' : `, ${ORDINALS[stays.length] ?? `${stays.length}th`} try`;
  const length = newest.seconds ?? secondsBetween(newest.entered_at, now);
  const more = [waitedFor(newest), lastFailure(newest)].filter(Boolean).join('; ');
  return `#${number} ${ending(newest, formatDuration(length))}${tries}.${more ? ` ${capital(more)}.` : ''}`;
}

function ending(stay: StayInDetail, length: string): string {
  if (stay.reason === null) return `has been in the queue for ${length}`;
  return `${isMerged(stay.reason) ? 'merged' : `left: ${labelOf(stay.reason)}`}, ${length}`;
}

/** A letter for each batch in the order of its first run, which reads better than an id. */
export function batchLetters(batches: readonly { batch_id: string }[]): Map<string, string> {
  const ids = [...new Set(batches.map((one) => one.batch_id))];
  return new Map(ids.map((id, i) => [id, i < 26 ? String.fromCharCode(65 + i) : String(i + 1)]));
}

/** The largest part of the stay besides CI. */
function waitedFor(stay: StayInDetail): string {
  const { waiting, seconds } = stay;
  if (waiting === null || !seconds) return '';
  const idle = WAITS.filter((wait): wait is Exclude<Wait, 'ci'> => wait !== 'ci');
  const most = idle.reduce((a, b) => (waiting[b] > waiting[a] ? b : a));
  return waiting[most] / seconds >= NOTABLE_SHARE ? `${formatDuration(waiting[most])} for ${WAIT_LABELS[most]}` : '';
}

function lastFailure(stay: StayInDetail): string {
  const failed = stay.checks.filter((check) => check.outcome === 'CHECKS_FAILED' || check.outcome === 'CHECKS_TIMEOUT').at(-1);
  if (!failed) return '';
  const isAlone = failed.pull_requests.length === 1;
  if (isAlone && failed.outcome === stay.reason) return ''; // The reason says so.
  const what = isAlone ? 'CI' : 'its batch';
  const bisection = stay.bisections.find((one) => one.batch_id === failed.batch_id);
  const result = bisection?.culprit_found === true ? ', culprit found' : bisection?.culprit_found === false ? ', no culprit found' : '';
  return `${what} ${failed.outcome === 'CHECKS_TIMEOUT' ? 'timed out' : 'failed'}${result}`;
}

export interface Placed {
  check: Check;
  /** Shares of the stay's length, from its start. */
  from: number;
  width: number;
  lane: number;
}

/** The CI runs of a stay on its timeline; overlapping runs get separate lanes. */
export function placeChecks(stay: StayInDetail, now: number): Placed[] {
  const start = Date.parse(stay.entered_at ?? stay.checks[0]?.started_at ?? '');
  const end = stay.left_at === null ? now : Date.parse(stay.left_at);
  const length = Math.max(end - start, 1);
  const busyUntil: number[] = [];
  return stay.checks.flatMap((check) => {
    const [began, ended] = [Date.parse(check.started_at ?? ''), check.ended_at === null ? end : Date.parse(check.ended_at)];
    if (Number.isNaN(began)) return [];
    const free = busyUntil.findIndex((until) => until <= began);
    const lane = free === -1 ? busyUntil.length : free;
    busyUntil[lane] = ended;
    const from = clamp((began - start) / length);
    return [{ check, from, width: Math.max(clamp((ended - start) / length) - from, 0.002), lane }];
  });
}

function clamp(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}

function secondsBetween(from: string | null, to: number): number | null {
  return from === null ? null : (to - Date.parse(from)) / 1000;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
