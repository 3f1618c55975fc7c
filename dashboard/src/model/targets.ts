// The table of targets in the settings: a row for the repository, for each queue, and for what else has a target.

import { FIGURES as TABLE, type Answers } from '../api/api-types.ts';
import { queueLabel } from './signals.ts';
import { shown } from './shown.ts';

type Target = Answers['GET /v1/repos/{owner}/{repository}/targets']['targets'][number];
export type Row = Target & { label: string };

/** A figure, what one unit of its field in the table is in the API's, and what the field takes. */
export const FIGURES = [
  { name: 'time_in_queue_p95', label: `${TABLE.time_in_queue_p95.short}, minutes`, factor: 60, least: 0.02, most: 166_666, rule: 'Write a number of minutes from 0.02 to 166,666.' },
  { name: 'failure_rate', label: `${TABLE.failure_rate.short}, %`, factor: 0.01, least: 0, most: 100, rule: 'Write a percentage from 0 to 100.' },
  { name: 'ci_runs_per_merge', label: TABLE.ci_runs_per_merge.short, factor: 1, least: 0.001, most: 1000, rule: 'Write a number from 0.001 to 1,000.' },
] as const;

const NONE = { time_in_queue_p95: null, failure_rate: null, ci_runs_per_merge: null };

export function rowsOf(targets: readonly Target[], queues: readonly { base_ref: string; queue_name: string }[]): Row[] {
  const scopes = [{ base_ref: null, queue_name: null }, ...queues, ...targets];
  const rows = new Map<string, Row>();
  for (const { base_ref, queue_name } of scopes) {
    const label = labelOf(base_ref, queue_name);
    const found = targets.find((one) => one.base_ref === base_ref && one.queue_name === queue_name);
    if (!rows.has(label)) rows.set(label, { ...NONE, ...found, base_ref, queue_name, label });
  }
  return [...rows.values()];
}

export function withLimits(rows: readonly Row[]): Row[] {
  return rows.filter((row) => FIGURES.some(({ name }) => row[name] !== null));
}

/** What is sent. */
export function targetsOf(rows: readonly Row[]): Target[] {
  return withLimits(rows).map(({ label: _, ...target }) => target);
}

function labelOf(base_ref: string | null, queue_name: string | null): string {
  if (base_ref !== null && queue_name !== null) return queueLabel({ base_ref, queue_name });
  if (base_ref !== null) return `every queue of ${shown(base_ref)}`;
  return queue_name === null ? 'all queues' : `${queue_name} on every branch`;
}
