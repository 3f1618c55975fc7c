import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf, targetsOf } from './targets.ts';

const NONE = { time_in_queue_p95: null, failure_rate: null, ci_runs_per_merge: null };
const REPOSITORY = { base_ref: null, queue_name: null, ...NONE, failure_rate: 0.05 };
const BRANCH = { base_ref: '1.x', queue_name: null, ...NONE, ci_runs_per_merge: 2 };

test('the repository comes first, then every queue, then what else has a target', () => {
  const rows = rowsOf([BRANCH, REPOSITORY], [{ base_ref: 'main', queue_name: 'default' }]);
  assert.deepEqual(rows.map((row) => row.label), ['all queues', 'default on main', 'every queue of 1.x']);
  assert.equal(rows[0]?.failure_rate, 0.05);
});

test('what is sent has the rows with a limit', () => {
  assert.deepEqual(targetsOf(rowsOf([BRANCH, REPOSITORY], [{ base_ref: 'main', queue_name: 'default' }])), [REPOSITORY, BRANCH]);
  assert.deepEqual(targetsOf(rowsOf([], [])), []);
});
