import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StayInDetail } from '../api/types.ts';
import { basisText, nearbyText, outcomeText, rankedCauses, rightText, testedRuns, type NearbyRun, type SaidAct, type Verdict } from './verdict.ts';

const run = (result: NearbyRun['result'], minute: number): NearbyRun => ({
  batch_id: `b${minute}`,
  attempt: 1,
  ended_at: `2026-03-02T09:${minute}:00Z`,
  pull_requests: [minute],
  result,
});
const basis = { runs: 812, removals: 61, check_names: true, head_sha: true, unchanged_returns: 34 };
const verdict = { checks: ['types'], nearby: [], basis, outcome: null } as unknown as Verdict;

test('results of others are counted, the failures first', () => {
  const nearby = [run('passed', 10), run('failed', 11), run('passed', 12)];
  assert.equal(nearbyText({ ...verdict, nearby }), '`types` in runs of others, 6 hours before: 1 failed, 2 passed.');
  assert.equal(nearbyText({ ...verdict, checks: [], nearby: [run('failed_otherwise', 10)] }), 'Runs of others, 6 hours before: 1 failed otherwise.');
});

test('what it rests on, and what was missing', () => {
  assert.equal(basisText(verdict), 'From 812 CI runs and 61 removals of this queue.');
  const without = { ...basis, runs: 1, removals: 1, check_names: false, head_sha: false };
  assert.equal(basisText({ ...verdict, basis: without }), 'From 1 CI run and 1 removal of this queue, with no names of failed checks and no commit of this pull request.');
});

test('runs without a result are not evidence', () => {
  const check = (outcome: string | null, name: string | null = null) => ({
    batch_id: 'A',
    attempt: 1,
    pull_requests: [7, 8],
    outcome,
    failed_ci_check: name === null ? null : { name },
  });
  const stay = { checks: [check('CHECKS_FAILED', 'types'), check('PR_AHEAD_DEQUEUED'), check(null), check('SUCCESS'), check('CHECKS_TIMEOUT')] };
  const runs = testedRuns(stay as unknown as StayInDetail, 7);
  assert.deepEqual(runs.map(({ text, tone, others }) => [text, tone, others]), [
    ['types', 'bad', [8]],
    ['passed', 'accent', [8]],
    ['timed out', 'bad', [8]],
  ]);
});

test('what came later', () => {
  assert.equal(outcomeText(verdict), '');
  assert.equal(outcomeText({ ...verdict, outcome: 'merged' }), 'It came back unchanged and merged.');
});

test('causes are ranked, and what is not known yet is a dash', () => {
  assert.deepEqual(rankedCauses({ own: 2, flake: 5, push: 0, other: 2 }), [['flake', 5], ['other', 2], ['own', 2]]);
  const said: SaidAct = { act: 'fix', said: 3, outcomes: {}, right: 0, known: 0 };
  assert.equal(rightText(said), '–');
  assert.equal(rightText({ ...said, right: 2, known: 3 }), '2 of 3');
});
