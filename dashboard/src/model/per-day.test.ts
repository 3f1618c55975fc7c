import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perDay } from './per-day.ts';

test('a rate below one per day says how many there were', () => {
  const window = { start: '2026-10-01T00:00:00Z', end: '2026-10-29T00:00:00Z' };
  assert.deepEqual(perDay({ value: 4.25, count: 119 }, window), [4.25, '/ day']);
  assert.deepEqual(perDay({ value: 1 / 28, count: 1 }, window), [1, 'in 28 days']);
  assert.deepEqual(perDay({ value: 0, count: 0 }, window), [0, '/ day']);
  assert.deepEqual(perDay({ value: null, count: 0 }, window), [null, '/ day']);
  const short = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T12:00:00Z' };
  assert.deepEqual(perDay({ value: 2 / 3, count: 1 }, short), [1, 'in 1.5 days']);
  assert.deepEqual(perDay({ value: 0.99, count: 1 }, { ...short, end: '2026-10-02T00:10:00Z' }), [1, 'in 1 day']);
});

test('below two days there is no rate', () => {
  const until = (end: string) => ({ start: '2026-10-01T00:00:00Z', end });
  assert.deepEqual(perDay({ value: 22.6, count: 8 }, until('2026-10-01T08:30:00Z')), [8, 'in 8.5 hours']);
  assert.deepEqual(perDay({ value: 0, count: 0 }, until('2026-10-01T01:00:00Z')), [0, 'in 1 hour']);
  assert.deepEqual(perDay({ value: 40, count: 40 }, until('2026-10-02T00:00:00Z')), [40, 'in 1 day']);
  assert.deepEqual(perDay({ value: 40, count: 80 }, until('2026-10-03T00:00:00Z')), [40, '/ day']);
});
