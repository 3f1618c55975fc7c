import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTick, intervalNote, withTimes } from './times.ts';

const spans = (minutes: number) => [{ start: '2026-11-01T00:00:00Z', end: new Date(Date.parse('2026-11-01T00:00:00Z') + minutes * 60_000).toISOString() }];

test('a chart says how long its intervals are, and that days are those of UTC', () => {
  assert.deepEqual([5, 60, 360].map((minutes) => intervalNote(spans(minutes), 'local')), ['per 5 minutes', 'per hour', 'per 6 hours']);
  assert.deepEqual([intervalNote(spans(1440), 'local'), intervalNote(spans(10_080), 'UTC')], ['per day (UTC)', 'per 7 days']);
  assert.equal(intervalNote([], 'UTC'), '');
});

test('times in a sentence are short when they are near', () => {
  const now = Date.parse('2026-11-13T12:00:00Z');
  assert.equal(
    withTimes('expected between 2026-11-13T13:10:00Z and 2026-11-14T00:55:00Z', 'UTC', now),
    'expected between 13:10 and Saturday 00:55',
  );
  assert.equal(withTimes('frozen until 2026-11-16T09:00:00Z', 'UTC', now), 'frozen until Monday 09:00');
  assert.equal(withTimes('nothing since 2026-10-01T09:00:00Z', 'UTC', now), 'nothing since 1 Oct, 09:00');
  assert.equal(withTimes('no time here', 'UTC', now), 'no time here');
});

test('a label of the time axis says the year if the axis may span several', () => {
  const at = Date.parse('2024-10-01T00:00:00Z');
  assert.deepEqual([30 * 86_400, 120 * 86_400, 86_400, 3600].map((step) => formatTick(at, step, 'UTC')), ['Oct 2024', 'Oct 2024', '1 Oct', '1 Oct']);
});
