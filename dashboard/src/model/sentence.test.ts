import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FigureName, Figures } from '../api/types.ts';
import { sentence } from './sentence.ts';

const NAMES: FigureName[] = ['entered', 'merged', 'merged_per_day', 'failure_rate', 'time_in_queue_p50',
  'time_in_queue_p90', 'time_in_queue_p95', 'time_in_queue_p99', 'waiting_ci', 'waiting_capacity',
  'waiting_schedule', 'waiting_freeze', 'ci_runs_per_merge', 'ci_seconds_per_merge', 'batch_size', 'retries',
  'bisections', 'runs_saved'];

type Given = Partial<Record<FigureName, [value: number | null, before: number | null]>>;

/** 100 stays: p50 30 minutes, p95 2 hours, as before; other values as given. */
function figures(given: Given, count = 100): Figures {
  const usual: Given = { time_in_queue_p50: [1800, 1800], time_in_queue_p95: [7200, 7200], failure_rate: [0.05, 0.05] };
  const entries = NAMES.map((name) => {
    const [value, before] = { ...usual, ...given }[name] ?? [0, 0];
    const isRate = name === 'failure_rate';
    const change = value === null || !before ? null : isRate ? value - before : value / before - 1;
    return [name, { value, before, change, count }];
  });
  return Object.fromEntries(entries) as Figures;
}

const say = (given: Given, count?: number, inQueue: number | null = 7) =>
  sentence({ figures: figures(given, count), comparedWith: 'the week before', inQueue });

test('a slower queue names the largest change and what carries it', () => {
  const given: Given = { time_in_queue_p95: [9936, 7200], waiting_ci: [1300, 1200], waiting_capacity: [1500, 300] };
  assert.equal(say(given), 'Slower than the week before: p95 2h46 (+38%), mostly capacity. 7 in queue.');
});

test('a faster queue names what became shorter', () => {
  const given: Given = { time_in_queue_p50: [900, 1800], waiting_ci: [500, 1500], waiting_freeze: [200, 100] };
  assert.equal(say(given), 'Faster than the week before: p50 15m (−50%), mostly CI. 7 in queue.');
});

test('no kind of waiting is named when none carries half of the change', () => {
  const given: Given = { time_in_queue_p95: [9000, 7200], waiting_ci: [200, 100], waiting_capacity: [200, 100], waiting_freeze: [200, 100] };
  assert.equal(say(given), 'Slower than the week before: p95 2h30 (+25%). 7 in queue.');
});

test('percentiles that move apart are mixed', () => {
  const given: Given = { time_in_queue_p50: [1500, 1800], time_in_queue_p95: [9000, 7200] };
  assert.equal(say(given), 'Mixed compared with the week before: p50 25m (−17%), p95 2h30 (+25%). 7 in queue.');
});

test('small changes are no news, unless failures changed', () => {
  assert.equal(say({ time_in_queue_p95: [7500, 7200] }), 'Much like the week before: p50 30m, p95 2h05. 7 in queue.');
  assert.equal(
    say({ failure_rate: [0.11, 0.05] }),
    'More failures than the week before: 11.0% (+6 points); p50 30m, p95 2h00. 7 in queue.',
  );
});

test('few stays are called few', () => {
  assert.equal(say({ time_in_queue_p95: [99, 7200] }, 19), 'Little data: 19 stays, p50 30m, p95 2m. 7 in queue.');
  assert.equal(say({}, 1, 0), 'Little data: 1 stay, p50 30m, p95 2h00. The queue is empty.');
});

test('a first window has nothing to compare with', () => {
  assert.equal(
    say({ time_in_queue_p50: [1800, null] }, 40, null),
    'So far p50 30m, p95 2h00; there is nothing to compare with yet.',
  );
});

test('a window without stays says so', () => {
  const given: Given = { time_in_queue_p50: [null, 1800], time_in_queue_p95: [null, 7200] };
  assert.equal(say(given, 0, 3), 'No pull request left the queue in this window. 3 in queue.');
});
