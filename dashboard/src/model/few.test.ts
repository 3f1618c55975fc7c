import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badTone, fewReason } from './few.ts';

test('few things are not judged, and the reason is said', () => {
  assert.equal(fewReason(19, 'stay'), 'Only 19 stays: chance alone may explain the value, so it is not judged');
  assert.equal(fewReason(1, 'merge'), 'Only 1 merge: chance alone may explain the value, so it is not judged');
  assert.equal(fewReason(20, 'stay'), null);
});

test('nothing is red among few things', () => {
  assert.deepEqual([badTone(true, 19), badTone(true, 20), badTone(false, 20), badTone(true, 0, 'accent')], ['grey', 'bad', 'grey', 'accent']);
});
