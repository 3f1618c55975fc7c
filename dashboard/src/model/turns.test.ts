import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneAtATime, urgentFirst } from './turns.ts';

const settle = () => new Promise((go) => setImmediate(go));

test('calls during a run make one more run after it', async () => {
  const ends: (() => void)[] = [];
  const call = oneAtATime(() => new Promise<void>((end) => ends.push(end)));

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

test('what is urgent goes first, even if it comes last, and the rest follows its end', async () => {
  const inTurn = urgentFirst(60_000);
  const begun: string[] = [];
  let end = (): void => undefined;
  const note = async (what: string) => void begun.push(what);

  void inTurn(false, () => note('first'));
  void inTurn(true, () => new Promise<void>((resolve) => ((end = resolve), begun.push('urgent'))));
  void inTurn(false, () => note('last'));
  await settle();
  assert.deepEqual(begun, ['urgent']);
  end();
  await settle();
  assert.deepEqual(begun, ['urgent', 'first', 'last']);
});

test('the rest does not wait for ever', async () => {
  const inTurn = urgentFirst(1);
  void inTurn(true, () => new Promise<never>(() => undefined));
  assert.equal(await inTurn(false, async () => 'answered'), 'answered');
});
