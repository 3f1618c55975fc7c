import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneAtATime } from './turns.ts';

test('calls during a run make one more run after it', async () => {
  const ends: (() => void)[] = [];
  const call = oneAtATime(() => new Promise<void>((end) => ends.push(end)));
  const settle = () => new Promise((go) => setImmediate(go));

  call();
  call();
  call();
  await settle();
  assert.equal(ends.length, 1);
  ends[0]!();
  await settle();
  assert.equal(ends.length, 2);
  ends[1]!();
  await settle();
  assert.equal(ends.length, 2);
  call();
  await settle();
  assert.equal(ends.length, 3);
});
