import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrowOf, verdictOf } from './change.ts';

test('a notable change is better or worse, by what is wanted', () => {
  assert.deepEqual([0.38, 0.05, -0.2, null].map((change) => verdictOf(change, 'seconds', 'less')), ['worse', 'neither', 'better', 'neither']);
  assert.deepEqual([0.38, -0.38].map((change) => verdictOf(change, 'count', 'more')), ['better', 'worse']);
  assert.equal(verdictOf(0.9, 'count', 'neither'), 'neither');
  assert.deepEqual([0.03, -0.03, 0.01].map((change) => verdictOf(change, 'rate', 'less')), ['worse', 'better', 'neither']);
});

test('an arrow shows the direction of what does not round to 0', () => {
  assert.deepEqual([0.1, -0.1, 0.001, null].map((change) => arrowOf(change, 'seconds')), ['▲', '▼', '', '']);
  // Points have a decimal: 0.3 points are shown as such.
  assert.deepEqual([0.003, -0.001, 0.0004].map((change) => arrowOf(change, 'rate')), ['▲', '▼', '']);
});
