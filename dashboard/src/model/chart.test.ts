import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisTop, highest, isBlank, ranked, spansOf, summed, tableOf, type Chart } from './chart.ts';

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
  assert.deepEqual(tableOf(chart), { columns: ['start', 'end', 'a', 'b', 'c'], rows: [
    [first.start, first.end, 1, 2, 2.5], [second.start, second.end, null, 1, null],
  ] });
});

test('an axis is cut when one interval towers over the others', () => {
  const values = [...Array<number>(19).fill(10), 100];
  const chart = (given: number[]): Chart => ({
    spans: given.map(() => first),
    unit: 'count',
    series: [{ label: 'a', values: given, mark: 'line', tone: 'accent' }],
  });
  assert.equal(axisTop(chart(values)), 30);
  assert.equal(axisTop(chart([...values.slice(1), 25])), 30);
  assert.equal(axisTop(chart([1, 1, 100])), 100, 'few intervals are not cut');
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
