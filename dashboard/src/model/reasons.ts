// Codes of reasons and outcomes as people read them, and how they are judged.

export type Tone = 'good' | 'bad' | 'neutral';

const LABELS: Record<string, string> = {
  SUCCESS: 'passed',
  PR_MERGED: 'merged',
  PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED: 'merged, CI of its own skipped',
  CHECKS_FAILED: 'checks failed',
  CHECKS_TIMEOUT: 'checks timed out',
  CHECKS_RETRIED: 'retried',
  CHECKS_INTERRUPTED: 'checks interrupted',
  BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS: 'its batch was split too often',
  BATCH_AHEAD_FAILED: 'the batch ahead failed',
  DROPPED_BY_BISECTION_ELIMINATION: 'culprit of a bisection',
  CONFLICT_WITH_BASE_BRANCH: 'conflict with the base branch',
  CONFLICT_WITH_PULL_AHEAD: 'conflict with a pull request ahead',
  PR_AHEAD_DEQUEUED: 'a pull request ahead left',
  PR_DEQUEUED: 'removed',
  PR_MANUALLY_DEQUEUED: 'removed by hand',
  PR_MANUALLY_MERGED: 'merged by hand',
  PR_WITH_HIGHER_PRIORITY_QUEUED: 'overtaken by a higher priority',
  PULL_REQUEST_UPDATED: 'the pull request changed',
  UNKNOWN: 'unknown',
};
const BAD = new Set(['CHECKS_FAILED', 'CHECKS_TIMEOUT', 'DROPPED_BY_BISECTION_ELIMINATION']);
const MERGED = new Set(['SUCCESS', 'PR_MERGED', 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED']);

/** A code that has no label of its own is written in lower case. */
export function labelOf(code: string): string {
  return LABELS[code] ?? code.toLowerCase().replaceAll('_', ' ');
}

export function toneOf(code: string): Tone {
  return MERGED.has(code) ? 'good' : BAD.has(code) ? 'bad' : 'neutral';
}

export function isMerged(reason: string | null): boolean {
  return reason === 'PR_MERGED' || reason === 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED';
}
