// The figures of a summary as columns of a table for a file.

import type { FigureName, Summary } from '../api/types.ts';
import type { Table } from './csv.ts';

/** In the order of the answer; what is measured in seconds says so. */
const COLUMNS: Record<FigureName, string> = {
  entered: 'entered',
  merged: 'merged',
  merged_per_day: 'merged_per_day',
  failure_rate: 'failure_rate',
  time_in_queue_p50: 'time_in_queue_p50_seconds',
  time_in_queue_p90: 'time_in_queue_p90_seconds',
  time_in_queue_p95: 'time_in_queue_p95_seconds',
  time_in_queue_p99: 'time_in_queue_p99_seconds',
  waiting_ci: 'waiting_ci_mean_seconds',
  waiting_capacity: 'waiting_capacity_mean_seconds',
  waiting_schedule: 'waiting_schedule_mean_seconds',
  waiting_freeze: 'waiting_freeze_mean_seconds',
  ci_runs_per_merge: 'ci_runs_per_merge',
  ci_seconds_per_merge: 'ci_per_merge_seconds',
  batch_size: 'batch_size',
  retries: 'retries',
  bisections: 'bisections',
  runs_saved: 'runs_saved',
};
const NAMES = Object.keys(COLUMNS) as FigureName[];

export function queuesTable(queues: Summary['queues']): Table {
  const rows = queues.map((one) => [one.base_ref, one.queue_name, ...NAMES.map((name) => one[name].value)]);
  return { columns: ['base_ref', 'queue_name', ...Object.values(COLUMNS)], rows };
}
