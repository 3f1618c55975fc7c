// Why a pull request was removed, and what to do: the words and marks of a verdict.

import { ACT_WORDS, CAUSE_WORDS, type Answers } from '../api/api-types.ts';
import type { Check, StayInDetail } from '../api/types.ts';
import { plural } from './numbers.ts';

export type Verdict = NonNullable<StayInDetail['verdict']>;
export type NearbyRun = Verdict['nearby'][number];

// Every act and cause of the API has words, so that a new one is a type error here.
export const ACT_LABELS: Record<Verdict['act'], string> = ACT_WORDS;
export const CAUSE_LABELS: Record<Verdict['cause'], string> = CAUSE_WORDS;

const OUTCOMES: Record<NonNullable<Verdict['outcome']>, string> = {
  merged: 'It came back unchanged and merged.',
  failed_again: 'It came back unchanged and failed again.',
  changed: 'It came back with another commit.',
  never_returned: 'It never came back.',
};

export function outcomeText({ outcome }: Verdict): string {
  return outcome === null ? '' : OUTCOMES[outcome];
}

/** A run of the removed pull request, as the picture shows it. */
export interface TestedRun {
  check: Check;
  others: number[];
  tone: 'bad' | 'accent';
  /** What failed in it, or that it passed. */
  text: string;
}

const FAILED = new Set(['CHECKS_FAILED', 'CHECKS_TIMEOUT', 'CHECKS_RETRIED']);

/** The runs of a stay that passed or failed, in their order. */
export function testedRuns(stay: StayInDetail, number: number): TestedRun[] {
  return stay.checks.flatMap((check) => {
    const hasFailed = FAILED.has(check.outcome ?? '');
    if (!hasFailed && check.outcome !== 'SUCCESS') return [];
    const name = check.failed_ci_check?.name ?? (check.outcome === 'CHECKS_TIMEOUT' ? 'timed out' : 'failed');
    return [
      {
        check,
        others: check.pull_requests.filter((one) => one !== number),
        tone: hasFailed ? ('bad' as const) : ('accent' as const),
        text: hasFailed ? name : 'passed',
      },
    ];
  });
}

const RESULTS: Record<NearbyRun['result'], string> = { passed: 'passed', failed: 'failed', failed_otherwise: 'failed otherwise' };

export function resultText({ result }: NearbyRun): string {
  return RESULTS[result];
}

/** What happened to others in the hours before: `types in runs of others, 6 hours before: 2 failed, 7 passed`. */
export function nearbyText({ checks, nearby }: Verdict): string {
  const counted = (result: NearbyRun['result']) => nearby.filter((run) => run.result === result).length;
  const parts = (['failed', 'passed', 'failed_otherwise'] as const)
    .map((result) => [counted(result), RESULTS[result]] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`);
  const what = checks.length === 0 ? 'Runs' : `\`${checks[0]}\` in runs`;
  return `${what} of others, 6 hours before: ${parts.join(', ')}.`;
}

/** What a verdict rests on. */
export function basisText({ basis }: Verdict): string {
  const missing = [basis.check_names ? '' : 'no names of failed checks', basis.head_sha ? '' : 'no commit of this pull request'].filter(Boolean);
  const known = `${plural(basis.runs, 'CI run')} and ${plural(basis.removals, 'removal')} of this queue`;
  return `From ${known}${missing.length > 0 ? `, with ${missing.join(' and ')}` : ''}.`;
}

type QueueVerdicts = Answers['GET /v1/repos/{owner}/{repository}/verdicts']['queues'][number];
export type SaidAct = QueueVerdicts['acts'][number];

/** The causes of some removals, the most frequent first. */
export function rankedCauses(causes: QueueVerdicts['removal_causes']): [Verdict['cause'], number][] {
  const found = Object.entries(causes).filter(([, count]) => count > 0) as [Verdict['cause'], number][];
  return found.toSorted(([a, many], [b, more]) => more - many || a.localeCompare(b));
}

/** What was advised at least once. */
export function saidActs(acts: readonly SaidAct[]): SaidAct[] {
  return acts.filter((one) => one.said > 0);
}

export function rightText({ right, known }: SaidAct): string {
  return known ? `${right} of ${known}` : '–';
}
