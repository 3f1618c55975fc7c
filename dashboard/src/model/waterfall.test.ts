import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CiExecution } from '../api/types.ts';
import { waterfallOf } from './waterfall.ts';
import { isWeb } from './web-address.ts';

const at = (minutes: number) => new Date(minutes * 60_000).toISOString();
const NOTHING: CiExecution = { name: 'unit', check_id: '1', conclusion: null, queued_at: null, started_at: null, ended_at: null, url: null, runner: null, is_required: null };
const done = (conclusion: string) => ({ ...NOTHING, conclusion, queued_at: at(0), started_at: at(2), ended_at: at(10) });
const rows = (ci_checks: CiExecution[], ended_at: string | null = at(10)) => waterfallOf({ started_at: at(0), ended_at, ci_checks }, 20 * 60_000);

test('waiting and running are shares of the time from the first instant to the last', () => {
  const [row] = rows([done('success')]);
  assert.deepEqual([row!.waited, row!.ran], [{ from: 0, width: 0.2 }, { from: 0.2, width: 0.8 }]);
});

test('a check that ended at once is seen', () => {
  const [row] = rows([{ ...done('failure'), queued_at: null, started_at: at(10) }]);
  assert.deepEqual([row!.waited, row!.ran], [null, { from: 0.996, width: 0.004 }]);
});

test('words say how each execution ended', () => {
  const words = ['success', 'failure', 'timed_out', 'cancelled'].map((one) => rows([done(one)])[0]!.words);
  assert.deepEqual(words, ['passed in 8m, waited 2m', 'failed after 8m, waited 2m', 'timed out after 8m, waited 2m', 'cancelled after 8m, waited 2m']);
  assert.equal(rows([{ ...NOTHING, conclusion: 'skipped' }])[0]!.words, 'skipped');
  assert.equal(rows([{ ...done('failure'), is_required: false }])[0]!.words, 'failed after 8m, waited 2m, not required');
});

test('what has not ended goes on until now, or until its run ended', () => {
  const running = { ...NOTHING, queued_at: at(0), started_at: at(5) };
  assert.deepEqual([rows([running], null)[0]!.words, rows([running], null)[0]!.ran], ['has run for 15m, waited 5m', { from: 0.25, width: 0.75 }]);
  assert.equal(rows([{ ...NOTHING, queued_at: at(0) }], null)[0]!.words, 'waits for a machine');
  assert.equal(rows([running])[0]!.words, 'no result was reported, waited 5m');
});

test('only failures have the bad tone', () => {
  assert.deepEqual(rows([done('success'), done('failure'), done('timed_out'), done('cancelled'), NOTHING]).map((one) => one.tone), ['accent', 'bad', 'bad', 'grey-2', 'accent-2']);
});

test('only addresses of the web become links', () => {
  assert.deepEqual(['https://ci.test/1', 'HTTP://ci.test', 'javascript:alert(1)', ' https://x', '', null].map(isWeb), [true, true, false, false, false, false]);
});
