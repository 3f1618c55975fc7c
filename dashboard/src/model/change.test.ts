import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrowOf } from './change.ts';

test('an arrow shows the direction of what does not round to 0', () => {
  assert.deepEqual([0.1, -0.1, 0.001, null].map((change) => arrowOf(change, 'seconds')), ['▲', '▼', '', '']);
  // Points have a decimal: 0.3 points are shown as such.
  assert.deepEqual([0.003, -0.001, 0.0004].map((change) => arrowOf(change, 'rate')), ['▲', '▼', '']);
});
