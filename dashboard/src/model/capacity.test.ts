import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capacity } from '../api/types.ts';
import { capacitySentence } from './capacity.ts';

const capacity = (exceeds_what_was_tried: boolean) =>
  ({ limit: { time_to_merge_p95: 7200 }, recorded_arrivals_per_day: 41.2, today: { exceeds_what_was_tried, factor: { value: 5 }, arrivals_per_day: { value: 66.7, low: 60.1, high: 71 } } }) as unknown as Capacity;

test('the capacity is a number of pull requests a day, or more than was tried', () => {
  assert.equal(capacitySentence(capacity(false)), 'p95 exceeds 2h00m at 67 or more pull requests a day (60 to 71); 41 a day were recorded.');
  assert.equal(capacitySentence(capacity(true)), 'Even with 5 times the pull requests, p95 stays below 2h00m; 41 a day were recorded, and more was not tried.');
});
