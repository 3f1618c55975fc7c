import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interval } from '../api/types.ts';
import { aligned } from './aligned.ts';

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T00:00:00Z`;
const intervals = (...days: number[]) => days.map((one) => ({ start: day(one), end: day(one + 1), time_in_queue_p50: { value: one, count: 1 } }) as Interval);
const p50 = (interval: Interval) => interval.time_in_queue_p50.value;

test('intervals are compared by their place in the period, even if others are missing', () => {
  const now = { window: { start: day(11), end: day(15) }, series: intervals(11, 13, 14) };
  const before = { window: { start: day(4), end: day(8) }, series: intervals(4, 5, 7) };
  assert.deepEqual(aligned(now, before, p50), [4, null, 7]);
});

test('periods of two lengths are not compared interval by interval', () => {
  const now = { window: { start: day(11), end: day(15) }, series: intervals(11) };
  assert.deepEqual(aligned(now, { window: { start: day(4), end: day(7) }, series: intervals(4) }, p50), []);
  assert.deepEqual(aligned({ window: now.window }, { window: now.window, series: intervals(4) }, p50), []);
});
