import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Search } from '../api/types.ts';
import { candidateOf } from '../pages/forecast/wanted.ts';
import { openingOf } from './forecast.ts';
import { todayInWords } from './settings.ts';

const ranged = (value: number) => ({ value, low: value, high: value });
const figures = (p95: number, runs: number) => ({ time_to_merge_p95: ranged(p95), ci_runs_per_merge: ranged(runs) });
const search = (combination: number | null, trial: number | null = null, queues: readonly string[] = ['default']) =>
  ({
    merged: 1200,
    settings: { baseline: Object.fromEntries(queues.map((name) => [name, {}])) },
    trust: { grade: 'good', sentences: { grade: 'It reproduces the recorded weeks.' } },
    baseline: figures(7200, 1.5),
    combinations: [{ settings: { batch_size: 4, max_parallel_checks: 3 }, ...figures(3600, 1.2), difference: figures(-0.5, -0.2) }],
    recommended: {
      no_more_ci: { combination, sentence: 'No combination is faster.' },
      worth_a_trial: { combination: trial, sentence: '' },
      half_time_to_merge_p95: { combination: null, sentence: '' },
    },
  }) as unknown as Search;

test('the page begins with the act, the gain and how reliable it is', () => {
  assert.deepEqual(openingOf(search(0)), {
    act: 'Set batch size 4, 3 parallel checks.',
    gain: 'p95 to merge 2h00m → 1h00m, −50% (−50% to −50%); CI runs per merge 1.50 → 1.20, −20% (−20% to −20%).',
    trust: 'Trust: good, from 1,200 merges. It reproduces the recorded weeks.',
  });
  assert.equal(openingOf(search(null, 0)).act, 'Try batch size 4, 3 parallel checks.');
  assert.equal(openingOf(search(0, null, ['default', 'hotfix'])).act, 'Set batch size 4, 3 parallel checks in all 2 queues.');
});

test('without a better combination, it says so', () => {
  assert.deepEqual([openingOf(search(null)).act, openingOf(search(null)).gain], ["Keep today's settings.", 'No combination is faster.']);
});

test("settings of a queue are that queue's, and what queues share is everyone's", () => {
  assert.deepEqual(candidateOf({ batch_size: 2, arrivals: 1.3 }, null), { settings: { batch_size: 2, arrivals: 1.3 } });
  assert.deepEqual(candidateOf({ batch_size: 2, arrivals: 1.3 }, 'default'), { settings: { arrivals: 1.3 }, queues: { default: { batch_size: 2 } } });
});

test("today's values are those of the queue, or of all that differ", () => {
  const baseline = { default: { batch_size: { min: 1, max: 4 }, max_parallel_checks: 3 }, hotfix: { batch_size: 1, max_parallel_checks: 3 } };
  const given = { queue_name: null, settings: { baseline } } as unknown as Search;

  assert.deepEqual([todayInWords(given, 'batch_size', null), todayInWords(given, 'batch_size', 'hotfix'), todayInWords(given, 'max_parallel_checks', null)], ['1 to 4 or 1', '1', '3']);
});
