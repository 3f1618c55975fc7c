import assert from 'node:assert/strict';
import { test } from 'node:test';
import { badTone, fewReason, judged, judgedThresholds } from './few.ts';

const EXCEEDED = { threshold: 600, is_exceeded: true };
const figure = (count: number) => ({ value: 900, before: null, change: null, count });

test('few things are not judged, and the reason is said', () => {
  assert.equal(fewReason(19, 'stay'), 'Only 19 stays: chance alone may explain the value, so it is not judged');
  assert.equal(fewReason(1, 'merge'), 'Only 1 merge: chance alone may explain the value, so it is not judged');
  assert.equal(fewReason(20, 'stay'), null);
});

test('a threshold is exceeded by enough things only', () => {
  assert.deepEqual(judged(EXCEEDED, 19), { threshold: 600, is_exceeded: null });
  assert.deepEqual(judged(EXCEEDED, 20), EXCEEDED);
  assert.equal(judged(null, 20), null);
});

test('each threshold of a summary counts what is behind its figure; CI runs per merge counts merges', () => {
  const all = { time_in_queue_p95: figure(20), time_to_merge_p95: figure(19), failure_rate: figure(20), ci_runs_per_merge: figure(90), merged: figure(19) };
  const thresholds = { time_in_queue_p95: EXCEEDED, time_to_merge_p95: EXCEEDED, failure_rate: null, ci_runs_per_merge: EXCEEDED };
  const found = judgedThresholds({ all, thresholds } as unknown as Parameters<typeof judgedThresholds>[0]);
  assert.deepEqual(
    Object.entries(found).map(([name, one]) => [name, one && one.is_exceeded]),
    [['time_in_queue_p95', true], ['time_to_merge_p95', null], ['failure_rate', null], ['ci_runs_per_merge', null]],
  );
});

test('nothing is red among few things', () => {
  assert.deepEqual([badTone(true, 19), badTone(true, 20), badTone(false, 20), badTone(true, 0, 'accent')], ['grey', 'bad', 'grey', 'accent']);
});
