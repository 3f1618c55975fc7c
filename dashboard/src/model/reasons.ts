// Labels for the codes of reasons and outcomes, and whether each is good or bad.

import type { Schemas } from '../api/api-types.ts';

type Left = Extract<Schemas['Event'], { type: 'queue_left' }>;
type Ended = Extract<Schemas['Event'], { type: 'checks_ended' }>;
type Code = Left['reason'] | Ended['outcome'];

export type Tone = 'good' | 'bad' | 'neutral';

// Every code of the API, so that a new one is a type error here and not a raw code on a page.
const LABELS: Record<Code, string> = {
  SUCCESS: 'passed',
  UNKNOWN: 'unknown',
  PR_MERGED: 'merged',
  PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED: 'merged because a later batch passed',
  PR_MANUALLY_MERGED: 'merged by hand',
  PR_DEQUEUED: 'removed',
  PR_DEQUEUED_FROM_PARTITION: 'removed from a partition',
  PR_MANUALLY_DEQUEUED: 'removed by hand',
  PR_AHEAD_DEQUEUED: 'a pull request ahead left',
  PR_WITH_HIGHER_PRIORITY_QUEUED: 'overtaken by a higher priority',
  PR_UNEXPECTEDLY_FAILED_TO_MERGE: 'the merge failed unexpectedly',
  PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE: 'checks stopped: the queue was paused',
  PULL_REQUEST_UPDATED: 'the pull request changed',
  UNPROCESSABLE_PULL_REQUEST: 'the pull request could not be processed',
  STACK_PREDECESSOR_DEQUEUED: 'the pull request below it in its stack left',
  GITHUB_STACKED_PULL_REQUEST_MERGE_UNSUPPORTED: 'GitHub cannot merge this stack',
  CHECKS_FAILED: 'checks failed',
  CHECKS_TIMEOUT: 'checks timed out',
  CHECKS_RETRIED: 'retried',
  CHECKS_INTERRUPTED: 'checks interrupted',
  SPECULATIVE_CHECK_NUMBER_REDUCED: 'fewer parallel checks allowed',
  INTERMEDIATE_RESULTS_SKIPPED: 'skipped: a later batch passed',
  BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS: 'its batch was split too often',
  BATCH_AHEAD_FAILED: 'the batch ahead failed',
  BATCH_AHEAD_BRANCH_EDITED: 'someone changed the branch of the batch ahead',
  BATCH_SCOPES_CHANGED: 'the scopes of its batch changed',
  BATCH_PULL_REQUEST_CLOSED: 'the pull request of its batch was closed',
  DROPPED_BY_BISECTION_ELIMINATION: 'culprit of a bisection',
  CONFLICT_WITH_BASE_BRANCH: 'conflict with the base branch',
  CONFLICT_WITH_PULL_AHEAD: 'conflict with a pull request ahead',
  BASE_BRANCH_CHANGED: 'the base branch changed',
  BASE_BRANCH_MISSING: 'the base branch is missing',
  BASE_REF_ALIGNMENT_TIMEOUT: 'could not be retargeted in time',
  BRANCH_UPDATE_FAILED: 'its branch could not be updated',
  INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS: 'branch protection does not allow the queue',
  DRAFT_PULL_REQUEST_CHANGED: 'the pull request of its batch was edited',
  DRAFT_PULL_REQUEST_CREATION_FAILED: 'the pull request of its batch could not be created',
  DRAFT_PULL_REQUEST_CREATION_BRANCH_NOT_INDEXED: 'GitHub did not see the branch of its batch in time',
  MERGE_QUEUE_RESET: 'the queue was reset',
  QUEUE_RULE_MISSING: 'its queue rule is missing',
  CONFIGURATION_CHANGED: 'the configuration changed',
  SCHEDULED_FREEZE_STATUS_CHANGED: 'a scheduled freeze began or ended',
  SCHEDULE_BLOCKED_AHEAD_YIELDED: 'overtook a pull request that waited for its schedule',
};
const BAD = new Set(['CHECKS_FAILED', 'CHECKS_TIMEOUT', 'DROPPED_BY_BISECTION_ELIMINATION']);
const MERGED = new Set(['SUCCESS', 'PR_MERGED', 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED']);

/** A code that only a newer server knows is shown in lower case. */
export function labelOf(code: string): string {
  return code in LABELS ? LABELS[code as Code] : code.toLowerCase().replaceAll('_', ' ');
}

export function toneOf(code: string): Tone {
  return MERGED.has(code) ? 'good' : BAD.has(code) ? 'bad' : 'neutral';
}

export function isMerged(reason: string | null): boolean {
  return reason === 'PR_MERGED' || reason === 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED';
}
