// Stays as a table for a file; its columns are called like those of an export.

import type { Stay } from '../api/types.ts';
import type { Table } from './csv.ts';
import { WAITS } from './waits.ts';

const COLUMNS = [
  'pull_request', 'session_id', 'base_ref', 'queue_name', 'priority_rule_name', 'entered_at', 'left_at', 'reason', 'retries',
  'time_in_queue_seconds', 'ci_seconds', 'capacity_wait_seconds', 'schedule_wait_seconds', 'freeze_wait_seconds', 'head_sha',
] as const;

export function staysTable(stays: readonly Stay[]): Table {
  const rows = stays.map((one) => [
    one.pull_request, one.session_id, one.base_ref, one.queue_name, one.priority_rule_name, one.entered_at, one.left_at, one.reason,
    one.retries, one.seconds, ...WAITS.map((wait) => one.waiting?.[wait] ?? null), one.head_sha,
  ]);
  return { columns: COLUMNS, rows };
}
