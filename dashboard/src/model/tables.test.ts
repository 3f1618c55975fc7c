import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check, Combination, Queue } from '../api/types.ts';
import { combinationsTable, queueTable, runsTable } from './tables.ts';

test('the pull requests of a queue, with what is expected', () => {
  const entry = { position: 1, pull_request: 7, title: 'Fix', priority_rule_name: null, entered_at: '2026-03-02T10:00:00Z', waited_seconds: 60, batch_id: null };
  const queue = { base_ref: 'main', queue_name: 'default', entries: [{ ...entry, expected_merge: { p50: 'a', p90: 'b', chance: 0.9 } }, { ...entry, expected_merge: null }] };
  const { columns, rows } = queueTable(queue as unknown as Queue);
  assert.equal(columns.length, rows[0]?.length);
  assert.deepEqual(rows.map((row) => row.slice(7)), [[60, null, 'a', 'b', 0.9], [60, null, null, null, null]]);
});

test('the CI runs of a stay', () => {
  const run = { batch_id: 'X', attempt: 1, started_at: 'a', ended_at: null, outcome: null, pull_requests: [7, 8], failed_ci_check: null };
  assert.deepEqual(runsTable([run as unknown as Check]).rows, [['X', 1, 'a', null, null, '7 8', null]]);
});

test('a combination that was not computed has no figures', () => {
  const figure = (value: number) => ({ value, low: value - 1, high: value + 1 });
  const computed = { state: 'computed', settings: { batch_size: 1 }, time_to_merge_p95: figure(60), ci_runs_per_merge: figure(2), ci_seconds_per_merge: figure(30) };
  const table = combinationsTable([computed, { state: 'not computed', settings: { batch_size: 2 } }] as unknown as Combination[]);
  assert.deepEqual(table.columns.slice(0, 5), ['batch_size', 'state', 'time_to_merge_p95_seconds', 'time_to_merge_p95_seconds_low', 'time_to_merge_p95_seconds_high']);
  assert.deepEqual(table.rows, [[1, 'computed', 60, 59, 61, 2, 1, 3, 30, 29, 31], [2, 'not computed', null, null, null, null, null, null, null, null, null]]);
});
