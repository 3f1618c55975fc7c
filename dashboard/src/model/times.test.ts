import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalNote } from './times.ts';

const spans = (minutes: number) => [{ start: '2026-11-01T00:00:00Z', end: new Date(Date.parse('2026-11-01T00:00:00Z') + minutes * 60_000).toISOString() }];

test('a chart says how long its intervals are, and that days are those of UTC', () => {
  assert.deepEqual([5, 60, 360].map((minutes) => intervalNote(spans(minutes), 'local')), ['per 5 minutes', 'per hour', 'per 6 hours']);
  assert.deepEqual([intervalNote(spans(1440), 'local'), intervalNote(spans(10_080), 'UTC')], ['per day (UTC)', 'per 7 days']);
  assert.equal(intervalNote([], 'UTC'), '');
});
