import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparkPath } from './spark.ts';

test('a sparkline leaves gaps open', () => {
  assert.equal(sparkPath([0, 5, null, 10], 30, 10), 'M0 10L10 5M30 0m-1 0h2');
  assert.equal(sparkPath([], 30, 10), '');
  assert.equal(sparkPath([null, 0], 30, 10), 'M30 10m-1 0h2');
});
