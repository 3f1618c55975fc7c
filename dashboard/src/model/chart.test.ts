import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisTop, cutIntervals, filled, highest, isBlank, ranked, spanAt, spansOf, summed, tableOf, touched, type Chart } from './chart.ts';

const spans = [{ start: '2026-11-01T00:00:00Z', end: '2026-11-01T06:00:00Z' }, { start: '2026-11-01T06:00:00Z', end: '2026-11-01T12:00:00Z' }];
const [first, second] = spans as [(typeof spans)[0], (typeof spans)[0]];
const groups = [
  { stats: [{ ...second, reason: 'A', count: 2 }] },
  { stats: [{ ...first, reason: 'B', count: 4 }, { ...second, reason: 'A', count: 3 }] },
];

test('groups are added up for each interval, and a gap is not zero', () => {
  assert.deepEqual(summed(groups, spans, (entry) => entry.count), [4, 5]);
  assert.deepEqual(summed(groups.slice(0, 1), spans, (entry) => entry.count), [null, 2]);
  assert.deepEqual(spansOf(groups), spans);
});

test('codes are ranked by their number', () => {
  assert.deepEqual(ranked(groups, (entry) => entry.reason), [['A', 5], ['B', 4]]);
});

test('stacked series count together on the axis', () => {
  const chart: Chart = {
    spans,
    unit: 'count',
    series: [
      { label: 'a', values: [1, null], mark: 'stack', tone: 'accent' },
      { label: 'b', values: [2, 1], mark: 'stack', tone: 'grey' },
      { label: 'c', values: [2.5, null], mark: 'line', tone: 'grey' },
    ],
  };
  assert.equal(highest(chart), 3);
  assert.deepEqual(tableOf(chart), { columns: ['interval_start', 'interval_end', 'a', 'b', 'c'], rows: [
    [first.start, first.end, 1, 2, 2.5], [second.start, second.end, null, 1, null],
  ] });
});

const lineOf = (given: (number | null)[], unit: Chart['unit'] = 'count'): Chart => ({
  spans: given.map((_, i) => ({ start: hour(i), end: hour(i + 1) })),
  unit,
  series: [{ label: 'a', values: given, mark: 'line', tone: 'accent' }],
});
function hour(number: number): string {
  return new Date(Date.parse('2026-11-01T00:00:00Z') + number * 3_600_000).toISOString().replace('.000Z', 'Z');
}

test('an axis is cut only if the others would be too small to see', () => {
  const values = Array<number>(19).fill(10);
  assert.equal(axisTop(lineOf([...values, 120])), 30);
  assert.deepEqual(cutIntervals(lineOf([...values, 120])), [19]);
  assert.equal(axisTop(lineOf([...values, 95])), 95, 'a tenth of the height can be seen');
  assert.deepEqual(cutIntervals(lineOf([...values, 95])), []);
  assert.equal(axisTop(lineOf([...Array<number>(19).fill(2), 8])), 8);
  assert.equal(axisTop(lineOf([...Array<number>(19).fill(1), 8])), 8);
  assert.equal(axisTop(lineOf([1, 1, 100])), 100, 'few intervals are not cut');
});

test('a band makes room for itself unless it is far away', () => {
  const band = (high: number) => ({ ...lineOf([10, 20]), band: { label: 'spring', low: 5, high } });
  assert.deepEqual([15, 30, 400].map((high) => axisTop(band(high))), [20, 30, 20]);
});

test('intervals without anything are drawn as gaps, bars as nothing', () => {
  const chart = lineOf([1, 2, 3]);
  const sparse: Chart = {
    ...chart,
    spans: chart.spans.filter((_, i) => i !== 1),
    series: [{ ...chart.series[0]!, values: [1, 3] }, { label: 'b', values: [4, 5], mark: 'bar', tone: 'grey' }],
    window: { start: '2026-10-31T22:30:00Z', end: '2026-11-01T04:00:00Z' },
  };
  const drawn = filled(sparse);
  assert.deepEqual(drawn.spans.map((span) => span.start), [hour(-2), hour(-1), hour(0), hour(1), hour(2), hour(3)]);
  assert.deepEqual(drawn.series.map((one) => one.values), [[null, null, 1, null, 3, null], [0, 0, 4, 0, 5, 0]]);
  assert.deepEqual(filled({ ...sparse, spans: [], series: [] }).spans, []);
});

test('a drawn span takes every interval that it touches, within the window', () => {
  const chart: Chart = { ...lineOf([1, 2, 3, 4]), window: { start: '2026-11-01T00:20:00Z', end: '2026-11-01T03:40:00Z' } };
  const at = (text: string) => Date.parse(`2026-11-01T${text}:00Z`);
  assert.deepEqual(touched(chart, at('01:10'), at('02:30')), { start: hour(1), end: hour(3) });
  assert.deepEqual(touched(chart, at('00:10'), at('03:50')), chart.window);
  assert.equal(touched(chart, at('05:00'), at('06:00')), null);
  assert.deepEqual(spanAt(chart.spans, '2026-11-01T01:30:00Z'), chart.spans[1]);
  assert.deepEqual([spanAt(chart.spans, 'x'), spanAt(chart.spans, null)], [null, null]);
});

test('a rate of zero is drawn, a count of zero is not', () => {
  const chart = (unit: Chart['unit'], value: number | null): Chart => ({
    spans: [first],
    unit,
    series: [{ label: 'a', values: [value], mark: 'line', tone: 'accent' }],
  });
  assert.deepEqual([isBlank(chart('rate', 0)), isBlank(chart('count', 0)), isBlank(chart('rate', null))], [false, true, true]);
  assert.equal(axisTop(chart('rate', 0)), 0.05);
});
