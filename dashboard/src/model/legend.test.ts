import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Chart } from './chart.ts';
import { bandNote, cutNote, legendOf } from './legend.ts';

const spans = Array.from({ length: 12 }, (_, i) => ({ start: new Date(i * 3_600_000).toISOString(), end: new Date((i + 1) * 3_600_000).toISOString() }));
const chart: Chart = {
  spans,
  unit: 'seconds',
  series: [{ label: 'p50', values: [...Array<number>(11).fill(60), 7200], mark: 'line', tone: 'accent', whole: 65 }],
};

test('a value has the room of all its forms, at the crosshair and without it', () => {
  assert.deepEqual(legendOf(chart, null), [{ label: 'p50', mark: 'line', tone: 'accent', value: '1m', forms: ['0m', '0h00m'] }]);
  assert.deepEqual(legendOf(chart, 11).map(({ value }) => value), ['2h00m']);
});

test('a range is one entry', () => {
  const load: Chart = {
    spans: spans.slice(0, 1),
    unit: 'count',
    series: [{ label: 'min', values: [2], mark: 'low', tone: 'accent-2' }, { label: 'max', values: [7], mark: 'high', tone: 'accent-2' }],
  };
  assert.deepEqual(legendOf(load, 0).map(({ label, value }) => [label, value]), [['min to max', '2 – 7']]);
});

test('a chart says what it cuts, and with what it compares', () => {
  assert.equal(cutNote(chart), 'axis ends at 3m, highest 2h00m');
  assert.equal(cutNote({ ...chart, series: [] }), '');
  assert.equal(bandNote({ ...chart, band: { label: 'pinned spring', low: 60, high: 300 } }), 'pinned spring 1m – 5m');
  assert.equal(bandNote(chart), '');
});
