import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CauseFound, Explanation, FigureExplained } from '../api/types.ts';
import { barsOf, barsOfMean, comparedPeriods, dayIn, firstFigure, formatAdded, slowestCheck } from './why.ts';

const part = (name: string, value: number) => ({ part: name, words: name, value, low: value - 60, high: value + 60, share: value / 2100 });
const figure = { figure: 'time_to_merge_p95', before: 4620, after: 6720, parts: [part('run_length', 1740), part('failures', -360), part('not_explained', 720)] } as unknown as FigureExplained;

test('every bar begins where the one above it ends, and the last part reaches the level after', () => {
  const bars = barsOf(figure, 'seconds')!;
  assert.deepEqual(bars.map(({ words, text }) => [words, text]), [['before', '1h17m'], ['run_length', '+29m'], ['failures', '−6m'], ['not_explained', '+12m'], ['after', '1h52m']]);
  const [before, longer, fewer, rest, after] = bars as [typeof bars[0], typeof bars[0], typeof bars[0], typeof bars[0], typeof bars[0]];
  assert.equal(longer.from, before.width);
  assert.ok(Math.abs(fewer.from + fewer.width - (longer.from + longer.width)) < 1e-9);
  assert.ok(Math.abs(rest.from - fewer.from) < 1e-9);
  assert.ok(Math.abs(rest.from + rest.width - after.width) < 1e-9);
  assert.equal(longer.interval, '+28m to +30m');
});

test('a figure without parts has no bars', () => {
  assert.equal(barsOf({ ...figure, parts: [] }, 'seconds'), null);
  assert.equal(barsOf({ ...figure, before: null }, 'seconds'), null);
});

test('the mean leaves out what did not change', () => {
  const mean = { before: 600, after: 900, difference: 300, sentence: '', parts: [{ wait: 'ci', words: 'CI', before: 500, after: 800, difference: 300 }, { wait: 'freeze', words: 'freeze', before: 0, after: 0, difference: 0 }] } as Explanation['mean'];
  assert.deepEqual(barsOfMean(mean)?.map(({ words }) => words), ['before', 'CI', 'after']);
});

test('fixed dates are compared with as many days before them, and a period that ends now gives way to 28 days', () => {
  const long = { start: '2026-03-01T00:00:00Z', end: '2026-03-31T00:00:00Z', name: '2026-03-01T00:00:00Z/2026-03-31T00:00:00Z' };
  assert.deepEqual(comparedPeriods(long, null), { before: { start_at: '2026-01-30T00:00:00Z', end_at: '2026-03-01T00:00:00Z' }, after: { start_at: '2026-03-01T00:00:00Z', end_at: '2026-03-31T00:00:00Z' } });
  const week = { start: '2026-03-24T10:12:00Z', end: '2026-03-31T10:12:00Z', name: '7d' };
  const quarter = { start: '2025-12-31T10:12:00Z', end: '2026-03-31T10:12:00Z', name: '90d' };
  for (const period of [week, quarter]) assert.deepEqual(comparedPeriods(period, null).after, { start_at: '2026-03-03T00:00:00Z', end_at: '2026-03-31T00:00:00Z' });
});

test('a change is explained by the days on both sides of it', () => {
  const period = { start: '2026-01-01T00:00:00Z', end: '2026-03-31T10:12:00Z', name: '90d' };
  assert.deepEqual(comparedPeriods(period, '2026-03-12'), { before: { start_at: '2026-02-21T00:00:00Z', end_at: '2026-03-12T00:00:00Z' }, after: { start_at: '2026-03-12T00:00:00Z', end_at: '2026-03-31T00:00:00Z' } });
});

test('a day in the address that is none counts as absent', () => {
  assert.deepEqual(['2026-03-12', '2026-13-12', 'yes', null].map(dayIn), ['2026-03-12', null, null, null]);
});

test('nothing added has no sign', () => {
  assert.deepEqual([formatAdded(0, 'seconds'), formatAdded(-0.25, 'ratio')], ['±0s', '−0.25']);
});

test('the CI check that takes longer is named with what it adds to a run', () => {
  const found = { stands_out: [{ dimension: 'hour', name: '09:00', before: 600, after: 900 }, { dimension: 'check', name: 'build', before: 600, after: 1860 }] } as unknown as CauseFound;
  assert.deepEqual(slowestCheck(found), { name: 'build', added: '+21m' });
  assert.equal(slowestCheck({ ...found, stands_out: [] }), null);
});

test('the figure that was clicked is shown first, otherwise that of the sentence', () => {
  const [p50, p95] = [{ figure: 'p50', sentence: 'a' }, { figure: 'p95', sentence: 'b' }];
  assert.equal(firstFigure({ figures: [p50, p95], sentence: 'b' } as unknown as Explanation), p95);
  assert.equal(firstFigure({ figures: [p50, p95], sentence: 'b' } as unknown as Explanation, 'p50'), p50);
  assert.equal(firstFigure({ figures: [p50, p95], sentence: 'b' } as unknown as Explanation, 'failure_rate'), p95);
});
