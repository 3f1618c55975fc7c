import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Combination, Forecast, Ranged, RangedFigures, Search } from '../api/types.ts';
import { axesOf, differenceText, differenceWithInterval, drawn, heatMap, nextRows, rowsOf, trustLines } from './forecast.ts';

const ranged = (value: number): Ranged => ({ value, low: value * 0.9, high: value * 1.1 });
const figures = (p95: number, runs: number): RangedFigures => ({
  time_to_merge_p50: ranged(p95 / 4), time_to_merge_p90: ranged(p95 / 2), time_to_merge_p95: ranged(p95),
  ci_runs_per_merge: ranged(runs), ci_seconds_per_merge: ranged(60), merged_per_day: ranged(40), removed_by_checks: ranged(0.05),
});
const combination = (batch_size: number, max_parallel_checks: number, p95: number): Combination =>
  ({ settings: { batch_size, max_parallel_checks }, state: 'computed', difference: figures(0, 0), innocent_removals: 0, reach: { level: batch_size > 3 ? 'beyond' : 'inside', beyond: [] }, ...figures(p95, 1) });
const AXES = axesOf({ batch_size: [1, 3, 4], max_parallel_checks: [1, 2], arrivals: [1.3] }, 'mergify');

const mergify = (batch_size: number | { min: number; max: number }, max_parallel_checks: number) => ({ kind: 'mergify', batch_size, max_parallel_checks });

test('the next two weeks have the figures that are known about them', () => {
  const { time_to_merge_p50, time_to_merge_p95, ci_runs_per_merge } = figures(4000, 1.2);
  const side = { time_to_merge_p50, time_to_merge_p95, ci_runs_per_merge };
  const rows = nextRows({ next_two_weeks: { baseline: side, candidate: side } } as Forecast);
  assert.deepEqual(rows.map((row) => [row.label, row.unit, row.candidate.value]), [['time to merge, p50', 'seconds', 1000], ['time to merge, p95', 'seconds', 4000], ['CI runs per merge', 'ratio', 1.2]]);
});

test('trust is explained in the order of what a decision needs', () => {
  const sentences = { mechanics: 'It holds.', drift: 'Weeks differ.', back_test: 'It was off.', difference: 'Lower.' };
  const search = { merged: 1, trust: { sentences } } as unknown as Search;
  assert.deepEqual(trustLines(search), [['Difference', 'Lower.'], ['Mechanics', 'It holds.'], ['Drift', 'Weeks differ.'], ['Back-test', 'It was off.']]);
});

test('a difference whose interval holds both directions is not significant', () => {
  assert.equal(differenceText({ unit: 'seconds', difference: { value: -0.0621, low: -0.22, high: 0.13 } }), '−6%, not significant');
  assert.equal(differenceText({ unit: 'count', difference: { value: 0.25, low: 0.1, high: 0.4 } }), '+25%');
});

test('rates differ in points', () => {
  const side = (rate: number) => ({ ...figures(1, 1), removed_by_checks: { value: rate, low: rate, high: rate } });
  const forecast = { baseline: side(0.065), candidate: side(0.07), difference: { ...side(0.0769), removed_by_checks: { value: 0.0769, low: -0.02, high: 0.2 } }, recorded: figures(1, 1) };
  const row = rowsOf(forecast as unknown as Forecast).find((one) => one.unit === 'rate')!;
  assert.equal(differenceText(row), '+0.5 points, not significant');
});

test('a heat map shades by p95 and marks today, unbeaten and unobserved combinations', () => {
  const combinations = [combination(3, 1, 10_000), combination(1, 1, 100_000), combination(3, 2, 1000), combination(4, 2, 1000)];
  const baseline = { default: mergify({ min: 1, max: 3 }, 2), other: mergify(9, 9) };
  const search = { queue_name: 'default', settings: { baseline }, combinations, front: [2] } as unknown as Search;

  const found = heatMap(AXES, combinations, search);

  assert.deepEqual([found.rows, found.columns], [{ setting: 'batch_size', values: [1, 3, 4] }, { setting: 'max_parallel_checks', values: [1, 2] }]);
  assert.deepEqual(found.cells.map((cell) => cell.shade), [2, 4, 0, 0]);
  assert.deepEqual(found.cells.map((cell) => cell.isToday), [false, false, true, false]);
  assert.deepEqual(found.cells.map((cell) => cell.isUnbeaten), [false, false, true, false]);
  assert.deepEqual(found.cells.map((cell) => cell.isUnobserved), [false, false, false, true]);
});

test('a heat map of the first combinations marks none', () => {
  const { cells } = heatMap(AXES, [combination(1, 1, 100_000), combination(8, 9, 1000)], null);

  assert.deepEqual(cells.map((cell) => cell.shade), [4, 0]);
  assert.ok(cells.every((cell) => !cell.isToday && !cell.isUnbeaten && !cell.isUnobserved));
});

test('combinations without figures, or that do not keep up, have no shade and hide no other', () => {
  const endless = { ...combination(1, 1, 12_000_000), state: 'does not keep up' } as Combination;

  assert.deepEqual(heatMap(AXES, [endless, combination(3, 1, 100), combination(3, 2, 1000)], null).cells.map((cell) => cell.shade), [null, 0, 4]);
});

test('a map of a queue with one setting has one column', () => {
  const found = heatMap(axesOf({ parallel_pipelines: [5, 10] }, 'gitlab'), [], null);

  assert.deepEqual([found.rows.values, found.columns], [[5, 10], null]);
});

test('intervals are drawn on one scale', () => {
  assert.deepEqual(drawn([{ value: 50, low: 40, high: 60 }, { value: 80, low: 60, high: 200 }]), [{ low: 20, value: 25, high: 30 }, { low: 30, value: 40, high: 100 }]);
  assert.deepEqual(drawn([{ value: null, low: null, high: null }, { value: 0, low: 0, high: 0 }]), [null, { low: 0, value: 0, high: 0 }]);
  assert.equal(differenceWithInterval({ value: -0.123, low: -0.2, high: 0.04 }), '−12% (−20% to +4%)');
});
