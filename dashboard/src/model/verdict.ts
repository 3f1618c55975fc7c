// Why a pull request was removed, and what to do: the words and marks of a verdict.

import { ACT_WORDS, CAUSE_WORDS, OUTCOME_WORDS, type Answers } from '../api/api-types.ts';
import type { Check, StayInDetail } from '../api/types.ts';
import { plural } from './numbers.ts';

export type Verdict = NonNullable<StayInDetail['verdict']>;
export type NearbyRun = Verdict['nearby'][number];
type Evidence = Verdict['evidence'][number];

// Every act and cause of the API has words, so that a new one is a type error here.
export const ACT_LABELS: Record<Verdict['act'], string> = ACT_WORDS;
export const CAUSE_LABELS: Record<Verdict['cause'], string> = CAUSE_WORDS;

const OUTCOMES: Record<NonNullable<Verdict['outcome']>, string> = OUTCOME_WORDS;

export function outcomeText({ outcome }: Verdict): string {
  return outcome === null ? '' : OUTCOMES[outcome];
}

/** Something that the picture shows: a run of the removed pull request, or one of others that passed without it. */
export interface ShownRun {
  /** The run of this stay; null if it belongs to an earlier stay, or to others. */
  check: Check | null;
  tone: 'bad' | 'accent';
  /** What failed in it and with whom, or that it passed. */
  text: string;
}

const FAILED = new Set(['CHECKS_FAILED', 'CHECKS_TIMEOUT', 'CHECKS_RETRIED']);
const FAILURES = new Set<Evidence['kind']>(['failed_with', 'failed_alone']);

/** The runs that passed or failed, in their order: those of earlier stays first, those of others last. */
export function shownRuns({ checks, pull_request }: StayInDetail, { evidence }: Verdict): ShownRun[] {
  // An id covers all attempts of a batch, and only the last failures are listed: the last belong together.
  const failures = evidence.filter(({ kind }) => FAILURES.has(kind)).toReversed();
  const own = checks.toReversed().flatMap((check): ShownRun[] => {
    const hasFailed = FAILED.has(check.outcome ?? '');
    if (!hasFailed && check.outcome !== 'SUCCESS') return [];
    const place = hasFailed ? failures.findIndex(({ batches }) => batches.includes(check.batch_id)) : -1;
    const [found] = place === -1 ? [] : failures.splice(place, 1);
    return [{ check, tone: hasFailed ? 'bad' : 'accent', text: found?.text ?? `${resultOf(check, hasFailed)}${mates(check, pull_request)}.` }];
  });
  const others = evidence.filter(({ kind }) => kind === 'passed_without');
  const tested = [...own, ...failures.map(({ text }) => outside('bad', text))].toReversed();
  return [...tested, ...others.map(({ text }) => outside('accent', text))];
}

function outside(tone: ShownRun['tone'], text: string): ShownRun {
  return { check: null, tone, text };
}

function resultOf({ failed_ci_check, outcome }: Check, hasFailed: boolean): string {
  if (!hasFailed) return 'Passed';
  if (failed_ci_check) return `\`${failed_ci_check.name}\` ${failed_ci_check.conclusion === 'cancelled' ? 'was cancelled' : 'failed'}`;
  return outcome === 'CHECKS_TIMEOUT' ? 'Timed out' : 'Failed';
}

/** Of a run that the verdict says nothing about, only the batch is known, and not who was ahead of it. */
function mates({ pull_requests }: Check, number: number): string {
  const others = pull_requests.filter((one) => one !== number);
  return others.length > 0 ? ` in a batch with ${others.map((one) => `#${one}`).join(', ')}` : '';
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
