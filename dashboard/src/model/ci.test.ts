import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeChart, runtimeChart } from './ci.ts';
import { loadChart } from './load.ts';

const span = { start: '2026-11-01T00:00:00Z', end: '2026-11-01T06:00:00Z' };
const group = { base_ref: 'main', queue_name: 'default', priority_rule_name: null };

test('the mean runtime weighs groups by their runs', () => {
  const rest = { runtime: 0, p50_runtime: 0, p90_runtime: 0, p95_runtime: 0, p99_runtime: 0 };
  const groups = [
    { ...group, stats: [{ ...span, ...rest, sum_runtime: 100, count_runtime: 1 }] },
    { ...group, stats: [{ ...span, ...rest, sum_runtime: 900, count_runtime: 9 }] },
  ];
  assert.deepEqual(runtimeChart(groups, [span]).series[0]?.values, [100]);
});

test('failures, the largest other outcomes and the rest are stacked', () => {
  const stats = [['SUCCESS', 5], ['CHECKS_FAILED', 2], ['CHECKS_TIMEOUT', 1], ['A', 4], ['B', 3], ['C', 2]].map(
    ([check_outcome, count]) => ({ ...span, check_outcome: String(check_outcome), count: Number(count) }),
  );
  const { series } = outcomeChart([{ ...group, stats }], [span]);
  assert.deepEqual(series.map((one) => [one.label, one.values[0]]), [['passed', 5], ['failed or timed out', 3], ['a', 4], ['b', 3], ['other', 2]]);
});

test('failures are red among enough runs', () => {
  const toneOf = (passed: number) => {
    const stats = [['SUCCESS', passed], ['CHECKS_FAILED', 2]].map(([check_outcome, count]) => ({ ...span, check_outcome: String(check_outcome), count: Number(count) }));
    return outcomeChart([{ ...group, stats }], [span]).series[1]?.tone;
  };
  assert.deepEqual([toneOf(17), toneOf(18)], ['grey', 'bad']);
});

test('minima and maxima of several groups are bounds', () => {
  const stats = [{ ...span, avg: 1.5, min: 0, max: 4 }];
  const chart = loadChart([{ stats }, { stats }], (one) => [one.avg, one.min, one.max]);
  assert.deepEqual(chart.series.map((one) => [one.label, one.values[0]]), [['min', 0], ['max', 8], ['average', 3]]);
  assert.deepEqual(loadChart([{ stats }], (one) => [one.avg, one.min, one.max]).series.map((one) => one.label), ['min', 'max', 'average']);
});
