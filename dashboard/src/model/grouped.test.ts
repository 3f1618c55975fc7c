import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped, queueNews } from './grouped.ts';

test('sixty queues with the same sentence make one group', () => {
  const queues = Array.from({ length: 60 }, (_, i) => ({ id: i, note: i === 7 ? 'other' : i === 8 ? null : 'same' }));
  const groups = grouped(queues, (one) => one.note);
  assert.deepEqual([...groups].map(([note, all]) => [note, all.length]), [['same', 58], ['other', 1]]);
});

test('news of a queue names what entered and what left', () => {
  assert.equal(queueNews([1, 2], [2, 3]), '#3 entered the queue. #1 left the queue.');
  assert.equal(queueNews([1], [1]), '');
  assert.equal(queueNews([], [1, 2, 3, 4, 5, 6, 7]), '#1, #2, #3, #4, #5 and 2 more entered the queue.');
});
