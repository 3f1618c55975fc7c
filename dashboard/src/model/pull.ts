// The story of one pull request in the queue.

import type { Bisection, Check, StayInDetail } from '../api/types.ts';
import { formatDuration } from './duration.ts';
import { plural } from './numbers.ts';
import { isMerged, labelOf, toneOf } from './reasons.ts';
import { sentence } from './sentence.ts';
import { WAIT_LABELS, WAITS, type Wait } from './waits.ts';

const TRIES = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
/** A kind of waiting is mentioned from this share of the stay on. */
const NOTABLE_SHARE = 0.2;

/** How it ended after all its stays, and one sentence about the newest. */
export function story(number: number, stays: readonly StayInDetail[], now: number): string {
  const [newest] = stays;
  if (!newest) return `#${number} has not been in a queue.`;
  const more = [waitedFor(newest), lastFailure(newest)].filter(Boolean).join('; ');
  return `#${number} ${ending(newest, stays, now)}.${more ? ` ${sentence(more)}` : ''}`;
}

function ending(newest: StayInDetail, stays: readonly StayInDetail[], now: number): string {
  const isOnce = stays.length === 1;
  const tries = `${TRIES[stays.length] ?? stays.length} tries`;
  const all = timeInAll(stays, now);
  if (newest.left_at === null) {
    const own = secondsOf(newest, now);
    return `${own === null ? 'is in the queue' : `has been in the queue for ${formatDuration(own)}`}${isOnce ? '' : ` (${tries}, ${all} in all)`}`;
  }
  const spent = [isOnce ? '' : tries, all && `${all} in the queue`].filter(Boolean).join(' and ');
  const after = spent && ` after ${spent}`;
  if (isMerged(newest.reason)) return `merged${after}`;
  return `left${after}: ${newest.reason === null ? 'the reason is not known' : labelOf(newest.reason)}`;
}

/** The time in queues, empty if it is not known; a stay without a known beginning makes it longer. */
function timeInAll(stays: readonly StayInDetail[], now: number): string {
  const known = stays.map((stay) => secondsOf(stay, now)).filter((seconds) => seconds !== null);
  if (known.length === 0) return '';
  const sum = known.reduce((total, seconds) => total + seconds, 0);
  return `${known.length < stays.length ? 'at least ' : ''}${formatDuration(sum)}`;
}

function secondsOf(stay: StayInDetail, now: number): number | null {
  return stay.left_at === null ? secondsBetween(stay.entered_at, now) : stay.seconds;
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
  return waiting[most] / seconds >= NOTABLE_SHARE ? `it waited ${formatDuration(waiting[most])} for ${WAIT_LABELS[most]}` : '';
}

function lastFailure(stay: StayInDetail): string {
  const failed = stay.checks.filter((check) => check.outcome === 'CHECKS_FAILED' || check.outcome === 'CHECKS_TIMEOUT').at(-1);
  if (!failed) return '';
  const isAlone = failed.pull_requests.length === 1;
  if (isAlone && failed.outcome === stay.reason) return ''; // The reason says so.
  const what = isAlone ? 'CI' : 'its batch';
  const bisection = stay.bisections.find((one) => one.batch_id === failed.batch_id);
  const result = bisection?.culprit_found === true ? ', and the culprit was found' : bisection?.culprit_found === false ? ', and no culprit was found' : '';
  return `${what} ${failed.outcome === 'CHECKS_TIMEOUT' ? 'timed out' : 'failed'}${result}`;
}

/** What a bisection found. Not every source reports ends: one without an end is not in progress for ever. */
export function bisectionText(bisection: Bisection, hasLeft: boolean): string {
  const steps = plural(bisection.steps.length, 'step');
  if (bisection.ended_at === null) return `${hasLeft ? 'end not reported' : 'in progress'}, ${steps}`;
  return `${bisection.culprit_found ? 'culprit found' : 'no culprit found'} in ${steps}${bisection.max_failures_reached ? ', limit of failures reached' : ''}`;
}

/** A stay as it is at an instant. */
export interface ShownStay {
  stay: StayInDetail;
  now: number;
}

const TONES = { good: 'accent', bad: 'bad', neutral: 'grey' } as const;

/** The color of a run, by its outcome. */
export function toneOfRun({ outcome }: Check): 'accent' | 'accent-2' | 'bad' | 'grey' {
  return outcome === null ? 'accent-2' : TONES[toneOf(outcome)];
}

export function outcomeInWords({ outcome }: Check): string {
  return outcome === null ? 'in progress' : labelOf(outcome);
}

/** How long a stay was, and what it waited for; empty if that is not known. */
export function waitsInWords({ seconds, waiting }: StayInDetail): string {
  return waiting === null ? '' : `${formatDuration(seconds)}: ${WAITS.map((wait) => `${WAIT_LABELS[wait]} ${formatDuration(waiting[wait])}`).join(' · ')}`;
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
  const { start, end } = spanOf(stay, now);
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

/** From when to when the timeline of a stay goes. */
export function spanOf(stay: StayInDetail, now: number): { start: number; end: number } {
  const start = Date.parse(stay.entered_at ?? stay.checks[0]?.started_at ?? stay.left_at ?? '');
  return { start, end: stay.left_at === null ? Math.max(now, start) : Date.parse(stay.left_at) };
}

function clamp(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}

function secondsBetween(from: string | null, to: number): number | null {
  return from === null ? null : (to - Date.parse(from)) / 1000;
}
