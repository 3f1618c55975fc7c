import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check, StayInDetail } from '../api/types.ts';
import { batchLetters, bisectionText, placeChecks, story } from './pull.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const at = (time: string) => `2026-11-15T${time}:00Z`;

function check(batch_id: string, started: string, ended: string | null, outcome: string | null, pull_requests = [1, 2]): Check {
  return { batch_id, attempt: 1, pull_requests, started_at: at(started), ended_at: ended && at(ended), outcome, ci_checks: [], ci_checks_total: 0, failed_ci_check: null };
}

function stay(given: Partial<StayInDetail>): StayInDetail {
  return {
    session_id: 's', pull_request: 4107, base_ref: 'main', queue_name: 'default', priority_rule_name: null,
    entered_at: at('10:00'), left_at: at('11:12'), reason: 'PR_MERGED', seconds: 4320,
    waiting: { ci: 2000, capacity: 2280, schedule: 0, freeze: 40 }, retries: 0, head_sha: null, verdict: null, is_being_judged: false, checks: [], bisections: [], ...given,
  };
}

test('the story of a merge names the tries, the longest wait and the last failure', () => {
  const bisection = { batch_id: 'X', steps: [], ended_at: at('10:50'), culprit_found: true, max_failures_reached: false };
  const newest = stay({ checks: [check('X', '10:30', '10:40', 'CHECKS_FAILED')], bisections: [bisection] });
  assert.equal(story(4107, [newest], NOW), '#4107 merged after 1h12m in the queue. It waited 38m for capacity; its batch failed, and the culprit was found.');
});

test('the headline counts all stays', () => {
  const quiet = { waiting: { ci: 4320, capacity: 0, schedule: 0, freeze: 0 } };
  const failed = stay({ reason: 'CHECKS_FAILED', seconds: 23_280 });
  const waiting = stay({ left_at: null, reason: null, seconds: null, waiting: null });
  assert.equal(story(7, [stay(quiet), failed, stay(quiet)], NOW), '#7 merged after three tries and 8h52m in the queue.');
  assert.equal(story(7, [stay({ ...quiet, reason: 'CHECKS_FAILED' }), stay(quiet)], NOW), '#7 left after two tries and 2h24m in the queue: checks failed.');
  assert.equal(story(7, [waiting, failed], NOW), '#7 has been in the queue for 2h00m (two tries, 8h28m in all).');
  assert.equal(story(7, [stay(quiet), stay({ entered_at: null, seconds: null })], NOW), '#7 merged after two tries and at least 1h12m in the queue.');
  assert.equal(story(7, Array.from({ length: 12 }, () => stay(quiet)), NOW), '#7 merged after 12 tries and 14h24m in the queue.');
});

test('a pull request that waits has waited until now', () => {
  const waiting = stay({ left_at: null, reason: null, seconds: null, waiting: null });
  assert.equal(story(7, [waiting], NOW), '#7 has been in the queue for 2h00m.');
  assert.equal(story(7, [{ ...waiting, entered_at: null }], NOW), '#7 is in the queue.');
});

test('a pull request that left says why', () => {
  const left = stay({ reason: 'CHECKS_FAILED', waiting: null, checks: [check('X', '10:30', '10:40', 'CHECKS_TIMEOUT', [4107])] });
  assert.equal(story(7, [left], NOW), '#7 left after 1h12m in the queue: checks failed. CI timed out.');
  const failed = stay({ ...left, checks: [check('X', '10:30', '10:40', 'CHECKS_FAILED', [4107])] });
  assert.equal(story(7, [failed], NOW), '#7 left after 1h12m in the queue: checks failed.');
  assert.equal(story(7, [], NOW), '#7 has not been in a queue.');
  assert.equal(story(7, [stay({ entered_at: null, seconds: null, waiting: null })], NOW), '#7 merged.');
});

test('overlapping runs get lanes of their own, and a run in progress lasts to the end', () => {
  const open = stay({ entered_at: at('10:00'), left_at: null, reason: null, checks: [
    check('A', '10:30', '11:00', 'SUCCESS'), check('B', '10:45', '11:15', 'SUCCESS'), check('C', '11:00', null, null),
  ] });
  const placed = placeChecks(open, NOW).map(({ check, from, width, lane }) => [check.batch_id, from, width, lane]);
  assert.deepEqual(placed, [['A', 0.25, 0.25, 0], ['B', 0.375, 0.25, 1], ['C', 0.5, 0.5, 0]]);
});

test('a bisection without an end is in progress only while the pull request is queued', () => {
  const steps = [{ depth: 0, started_at: at('10:40'), pull_requests: [1, 2] }];
  const open = { batch_id: 'X', steps, ended_at: null, culprit_found: null, max_failures_reached: null };
  assert.equal(bisectionText(open, false), 'in progress, 1 step');
  assert.equal(bisectionText(open, true), 'end not reported, 1 step');
  const ended = { ...open, ended_at: at('10:50'), culprit_found: true, max_failures_reached: false };
  assert.equal(bisectionText(ended, true), 'culprit found in 1 step');
});

test('batches get letters in the order of their runs', () => {
  assert.deepEqual([...batchLetters(['X', 'Y', 'X'].map((batch_id) => ({ batch_id })))], [['X', 'A'], ['Y', 'B']]);
});

test('a run that no event started is not drawn', () => {
  const unknown = { ...check('A', '10:30', '10:40', 'SUCCESS'), started_at: null };
  assert.deepEqual(placeChecks(stay({ checks: [unknown] }), NOW), []);
});
