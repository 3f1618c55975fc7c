import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDuration, roughDuration, writeDuration } from './written-duration.ts';

test('a length of time is read as people write it', () => {
  for (const [text, seconds] of [
    ['7h23m', 26_580], ['7h23', 26_580], [' 7H 23m ', 26_580], ['90m', 5400], ['26580', 26_580], ['2d 3h', 183_600],
    ['1.5 h', 5400], ['1m30s', 90], ['0.5', 0.5], ['0', 0],
  ] as const) assert.equal(readDuration(text), seconds, text);
});

test('anything else is not a length of time', () => {
  for (const text of ['', ' ', '-1', 'soon', '7 parsecs', '1e3', '7m23', '23m7h', '1h1h', 'h', '1 2h', '.', '∞'])
    assert.equal(readDuration(text), null, text);
});

test('what is written is read again as the same', () => {
  for (const [seconds, text] of [
    [26_580, '7h23m'], [183_600, '2d 3h'], [90, '1m30s'], [45.5, '45.5s'], [0, '0s'], [86_400, '1d'], [3601, '1h1s'],
  ] as const) {
    assert.equal(writeDuration(seconds), text);
    assert.equal(readDuration(text), seconds);
  }
});

test('a learned length has two units', () => {
  assert.deepEqual([26_599.7, 183_700, 61.2].map(roughDuration), ['7h23m', '2d 3h', '1m1s']);
});
