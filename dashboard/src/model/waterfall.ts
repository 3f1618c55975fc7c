// The CI checks of a run, on one line of time.

import type { Check, CiExecution } from '../api/types.ts';
import type { Tone } from './chart.ts';
import { formatDuration } from './duration.ts';

const ENDINGS: Record<string, [alone: string, before: string]> = {
  success: ['passed', 'passed in'],
  failure: ['failed', 'failed after'],
  timed_out: ['timed out', 'timed out after'],
  cancelled: ['cancelled', 'cancelled after'],
  skipped: ['skipped', 'skipped after'],
  neutral: ['neutral', 'neutral after'],
};
const FAILURES = ['failure', 'timed_out'];
const FAILED_RUNS = ['CHECKS_FAILED', 'CHECKS_TIMEOUT', 'CHECKS_RETRIED'];

/** A check that ended at once is seen, too. */
const THINNEST = 0.004;

export interface Bar {
  /** Shares of the line, from its start. */
  from: number;
  width: number;
}

export interface Row {
  execution: CiExecution;
  waited: Bar | null;
  ran: Bar | null;
  tone: Tone;
  words: string;
}

type Run = Pick<Check, 'started_at' | 'ended_at' | 'ci_checks'>;

/** One row per execution, in the order of the API; what has not ended goes on until its run ended, or until now. */
export function waterfallOf(run: Run, now: number): Row[] {
  const until = instant(run.ended_at) ?? now;
  const timed = run.ci_checks.map((execution) => ({ execution, ...timesOf(execution, until) }));
  const known = [instant(run.started_at), ...timed.flatMap(({ queued, started, ended }) => [queued, started, ended])].filter((at) => at !== null);
  const start = Math.min(...known);
  const length = Math.max(Math.max(...known) - start, 1);
  const bar = (from: number | null, to: number | null, thinnest: number): Bar | null => {
    if (from === null || to === null || to - from < 0 || (to === from && thinnest === 0)) return null;
    return { from: Math.min((from - start) / length, 1 - thinnest), width: Math.max((to - from) / length, thinnest) };
  };
  return timed.map(({ execution, queued, started, ended }) => ({
    execution,
    waited: bar(queued, started ?? ended, 0),
    ran: bar(started, ended, THINNEST),
    tone: toneOf(execution),
    words: wordsOf(execution, seconds(queued, started ?? ended), seconds(started, ended), run.ended_at !== null),
  }));
}

/** Only what passed looks so. */
function toneOf(execution: CiExecution): Tone {
  if (hasFailed(execution)) return 'bad';
  return execution.conclusion === 'success' ? 'accent' : execution.conclusion === null ? 'accent-2' : 'grey-2';
}

export function hasFailed({ conclusion }: CiExecution): boolean {
  return FAILURES.includes(conclusion ?? '');
}

/** The check because of which a run failed; null if it did not fail, or if no report says why. */
export function blamed(check: Pick<Check, 'outcome' | 'failed_ci_check'>): CiExecution | null {
  return FAILED_RUNS.includes(check.outcome ?? '') ? check.failed_ci_check : null;
}

function timesOf(execution: CiExecution, until: number): Record<'queued' | 'started' | 'ended', number | null> {
  const [queued, started] = [instant(execution.queued_at), instant(execution.started_at)];
  const begun = started ?? queued;
  const open = begun === null ? null : Math.max(until, begun);
  return { queued, started, ended: execution.conclusion === null ? open : instant(execution.ended_at) };
}

function wordsOf(execution: CiExecution, waited: number | null, ran: number | null, isOver: boolean): string {
  const parts = [resultOf(execution, ran, isOver)];
  if (waited && execution.started_at !== null) parts.push(`waited ${formatDuration(waited)}`);
  if (execution.is_required === false) parts.push('not required');
  return parts.join(', ');
}

function resultOf({ conclusion, started_at }: CiExecution, ran: number | null, isOver: boolean): string {
  if (conclusion === null && isOver) return 'no result was reported';
  if (conclusion === null) return started_at === null ? 'waits for a machine' : `has run for ${formatDuration(ran)}`;
  const [alone, before] = ENDINGS[conclusion] ?? [conclusion, `${conclusion} after`];
  return ran === null ? alone : `${before} ${formatDuration(ran)}`;
}

function seconds(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(to - from, 0) / 1000;
}

function instant(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
