import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queue } from '../api/types.ts';
import { expectedNote } from './expected.ts';

const queue = (state: Queue['expected_merges'], expected: object | null, range: true | null = null): Queue =>
  ({ expected_merges: state, entries: [{ expected_merge: expected }], trust: { eta: { p50: 0.469, p90: 0.9, cases: 1300, p50_range: range && { low: 0.15, high: 0.85 }, p90_range: range && { low: 0.7, high: 1 } } } }) as unknown as Queue;

test('the line below a queue says why an expected merge is missing, or how far to trust it', () => {
  const known = { p50: '2026-11-15T16:00:00Z', p90: '2026-11-15T17:00:00Z', chance: 0.9 };
  assert.equal(expectedNote(queue('known', known)), 'Of 1,300 past pull requests, 47% merged before the first time given and 90% before the second.');
  assert.match(expectedNote(queue('known', known, true)) ?? '', /90% before the second; depending on the weeks, 15% to 85% and 70% to 100%\.$/);
  assert.equal(expectedNote(queue('pending', null)), 'No expected merge: it is being computed …');
  assert.equal(expectedNote(queue('known', null)), 'No expected merge: it merged in none of the replays.');
  assert.match(expectedNote(queue('too_little_history', null)) ?? '', /14 days and 200 merges/);
});
