// Short names for the parts of answers that pages pass around.

import type { Answers, Schemas } from './api-types.ts';

const REPOSITORY = '/v1/repos/{owner}/{repository}';
type Of<Path extends string> = `GET ${typeof REPOSITORY}${Path}` extends keyof Answers
  ? Answers[`GET ${typeof REPOSITORY}${Path}`]
  : never;

export type Summary = Schemas['summary'];
export type Figures = Summary['all'];
export type FigureName = keyof Figures;
export type Figure = Figures[FigureName];
export type Interval = NonNullable<Summary['series']>[number];

export type QueueNow = Of<'/queue'>;
export type Queue = QueueNow['queues'][number];
export type Entry = Queue['entries'][number];

export type Repository = Answers['GET /v1/repos']['repositories'][number];
export type Problem = Schemas['Problem'];

export interface Session {
  kind: string;
  name: string;
  rights: string[];
  expires_at: string;
}

export interface Stay {
  session_id: string;
  pull_request: number;
  base_ref: string;
  queue_name: string;
  priority_rule_name: string | null;
  entered_at: string | null;
  left_at: string | null;
  reason: string | null;
  seconds: number | null;
  waiting: Record<'ci' | 'capacity' | 'schedule' | 'freeze', number> | null;
  retries: number;
}

export interface Check {
  batch_id: string;
  attempt: number;
  pull_requests: number[];
  started_at: string | null;
  ended_at: string | null;
  outcome: string | null;
}

export interface Bisection {
  batch_id: string;
  steps: { depth: number; started_at: string; pull_requests: number[] }[];
  ended_at: string | null;
  culprit_found: boolean | null;
  max_failures_reached: boolean | null;
}

export interface StayInDetail extends Stay {
  checks: Check[];
  bisections: Bisection[];
}

export interface PullHistory {
  pull_request: number;
  pull: { title: string; author: string | null; url: string | null } | null;
  stays: StayInDetail[];
}

/** Answers that the description does not have yet. */
export interface Pending {
  'GET /v1/repos/{owner}/{repository}/stays': { total: number; stays: Stay[] };
  'GET /v1/repos/{owner}/{repository}/pulls/{number}/history': PullHistory;
}
