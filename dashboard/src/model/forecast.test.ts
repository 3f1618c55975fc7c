import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Combination, Forecast, Ranged, RangedFigures, Search } from '../api/types.ts';
import { differenceText, gradeSentence, heatMap, trustLines } from './forecast.ts';

const ranged = (value: number): Ranged => ({ value, low: value * 0.9, high: value * 1.1 });
const figures = (p95: number, runs: number): RangedFigures => ({
  time_in_queue: { p50: ranged(p95 / 4), p90: ranged(p95 / 2), p95: ranged(p95) },
  runs_per_merge: ranged(runs), ci_seconds_per_merge: ranged(60), merged_per_day: ranged(40), removed_by_checks: ranged(0.05),
});
const combination = (batch_size: number, max_parallel_checks: number, p95: number): Combination =>
  ({ settings: { batch_size, max_parallel_checks }, innocent_removals: 0, reach: { level: batch_size > 3 ? 'beyond' : 'inside', beyond: [] }, ...figures(p95, 1) });

const mergify = (batch_size: number | { min: number; max: number }, max_parallel_checks: number) => ({ kind: 'mergify', batch_size, max_parallel_checks });

test('the grade says how far off such forecasts were', () => {
  const errors = { p50_error: 0.0502, p95_error: -0.2263, runs_error: 0 };
  const forecast = { merged: 2377, trust: { forecast: errors, mechanics: errors, naive: errors, grade: 'fair' } } as Forecast;
  assert.equal(gradeSentence(forecast), 'p50 ±5%, p95 ±23% on your history (2,377 merges)');
});

test('trust is explained in the order of what a decision needs', () => {
  const sentences = { mechanics: 'It holds.', drift: 'Weeks differ.', back_test: 'It was off.', difference: 'Lower.' };
  const search = { merged: 1, trust: { sentences } } as unknown as Search;
  assert.deepEqual(trustLines(search), [['Difference', 'Lower.'], ['Mechanics', 'It holds.'], ['Drift', 'Weeks differ.'], ['Back-test', 'It was off.']]);
});

test('a difference whose interval holds both directions may be none', () => {
  assert.equal(differenceText({ value: -0.0621, low: -0.22, high: 0.13 }), '−6%, may be none');
  assert.equal(differenceText({ value: 0.25, low: 0.1, high: 0.4 }), '+25%');
});

test('a heat map shades by p95 and marks today, unbeaten and unobserved combinations', () => {
  const combinations = [combination(3, 1, 10_000), combination(1, 1, 100_000), combination(3, 2, 1000), combination(4, 2, 1000)];
  const baseline = { default: mergify({ min: 1, max: 3 }, 2), other: mergify(9, 9) };
  const search = { queue_name: 'default', settings: { baseline }, combinations, front: [2] } as unknown as Search;

  const found = heatMap(combinations, search);

  assert.deepEqual(found.today, [3, 2]);
  assert.deepEqual(found.cells.map((cell) => cell.shade), [2, 4, 0, 0]);
  assert.deepEqual(found.cells.map((cell) => cell.isToday), [false, false, true, false]);
  assert.deepEqual(found.cells.map((cell) => cell.isUnbeaten), [false, false, true, false]);
  assert.deepEqual(found.cells.map((cell) => cell.isUnobserved), [false, false, false, true]);
});

test('a heat map of the first combinations marks none', () => {
  const { today, cells } = heatMap([combination(1, 1, 100_000), combination(8, 9, 1000)], null);

  assert.equal(today, null);
  assert.deepEqual(cells.map((cell) => cell.shade), [4, 0]);
  assert.ok(cells.every((cell) => !cell.isToday && !cell.isUnbeaten && !cell.isUnobserved));
});
