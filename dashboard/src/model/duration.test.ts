import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactDuration, formatDuration, niceStep } from './duration.ts';

test('a duration has at most two units', () => {
  const expected: [number | null, string][] = [
    [null, '–'], [0, '0s'], [45.2, '45s'], [59.6, '1m'], [1860, '31m'], [3599, '1h00m'], [3720, '1h02m'], [6720, '1h52m'],
    [86_400, '1d'], [183_600, '2d 3h'], [-90, '−2m'], [NaN, '–'],
  ];
  for (const [seconds, text] of expected) assert.equal(formatDuration(seconds), text);
});

test('a duration in a field is exact', () => {
  for (const [seconds, text] of [
    [26_580, '7h23m'], [183_600, '2d 3h'], [90, '1m30s'], [45.5, '45.5s'], [0, '0s'], [86_400, '1d'], [3601, '1h1s'],
  ] as const) assert.equal(exactDuration(seconds), text);
});

test('an axis of durations steps by round lengths', () => {
  assert.equal(niceStep(14_400, 4), 3600);
  assert.equal(niceStep(50, 5), 10);
  assert.equal(niceStep(400 * 86_400, 5), 80 * 86_400);
});
