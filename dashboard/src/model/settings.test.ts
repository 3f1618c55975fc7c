import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueueSettings, Search } from '../api/types.ts';
import { inWords, kindOf, readValues, todayOf, understood } from './settings.ts';

const mergify = (batch_size: unknown, max_parallel_checks: number) =>
  ({ kind: 'mergify', mode: 'serial', batch_size, batch_max_wait_time: 300, max_parallel_checks, max_checks_retries: 0, checks_timeout: null, skip_intermediate_results: false }) as unknown as QueueSettings;
const github = { kind: 'github', max_entries_to_build: 10, min_entries_to_merge: 1, max_entries_to_merge: 5, wait_minutes: 5, grouping_strategy: 'ALLGREEN', checks_timeout: 3600 } as unknown as QueueSettings;
const search = (baseline: Record<string, QueueSettings>, queue_name: string | null = null) => ({ queue_name, settings: { baseline } }) as unknown as Search;

test('settings are said in the words of their platform', () => {
  assert.equal(inWords({ batch_size: 4, max_parallel_checks: 12 }), 'batch size 4, 12 parallel checks');
  assert.equal(inWords({ max_entries_to_merge: 5, max_entries_to_build: 10 }), 'largest group 5, build concurrency 10');
  assert.deepEqual(understood(mergify({ min: 1, max: 4 }, 12)), [
    ['batch size', '1 to 4'], ['parallel checks', '12'], ['waits to fill a batch', '5m'], ['retries', '0'], ['mode', 'serial'],
  ]);
  assert.deepEqual(understood(github), [
    ['timeout of checks', '1h00m'], ['build concurrency', '10'], ['smallest group', '1'], ['largest group', '5'], ['waits for the smallest group', '5m'], ['grouping strategy', 'ALLGREEN'],
  ]);
});

test('today is the largest value of the queues that are asked about', () => {
  const both = { default: mergify({ min: 1, max: 4 }, 12), hotfix: mergify(1, 2) };

  assert.equal(todayOf(search(both), 'batch_size'), 4);
  assert.equal(todayOf(search(both, 'hotfix'), 'max_parallel_checks'), 2);
  assert.equal(todayOf(search({ main: github }), 'max_entries_to_build'), 10);
  assert.deepEqual([kindOf(search({ main: github })), kindOf(null)], ['github', 'mergify']);
});

test('values of an axis are whole numbers in ascending order', () => {
  assert.deepEqual(readValues('4, 1,2,2'), [1, 2, 4]);
  for (const wrong of [null, '', 'a', '0', '1.5', '1,x', '1001', '1,2,3,4,5,6,7,8,9,10,11']) assert.equal(readValues(wrong), null);
});
