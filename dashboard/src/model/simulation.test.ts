import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SimulatedRow } from '../api/types.ts';
import { grouped, isChanged, otherChanges } from './simulation.ts';

const row = (number: number, outcome: SimulatedRow['outcome'], changes: string[] | null = null): SimulatedRow =>
  ({ number, title: 'Fix it', outcome, now: 'no queue', then: 'would enter queue `a`', changes, why: [], rules: [], error: null });

test('pull requests are grouped by outcome, and groups without any are left out', () => {
  const found = grouped([row(3, 'no queue'), row(2, 'would enter'), row(1, 'no queue')]);

  assert.deepEqual(found.map(({ title, rows }) => [title, rows.map((one) => one.number)]), [['Would enter a queue', [2]], ['Without a queue', [3, 1]]]);
});

test('a change of the queue is said once', () => {
  const changed = row(1, 'would enter', ['new: posts a comment', 'would enter queue `a` (now: no queue)']);

  assert.deepEqual(otherChanges(changed), ['new: posts a comment']);
  assert.deepEqual([isChanged(changed), isChanged(row(1, 'no queue', [])), isChanged(row(1, 'no queue'))], [true, false, false]);
});
