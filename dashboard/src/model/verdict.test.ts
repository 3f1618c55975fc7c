import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StayInDetail } from '../api/types.ts';
import { basisText, nearbyText, outcomeText, rankedCauses, rightText, shownRuns, type NearbyRun, type SaidAct, type Verdict } from './verdict.ts';

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

const check = (batch_id: string, attempt: number, outcome: string | null, name: string | null = null, pull_requests = [7]) => ({
  batch_id,
  attempt,
  pull_requests,
  outcome,
  failed_ci_check: name === null ? null : { name },
});
const shown = (checks: unknown[], evidence: unknown[]) =>
  shownRuns({ pull_request: 7, checks } as unknown as StayInDetail, { ...verdict, evidence } as Verdict).map((run) => [run.check?.attempt ?? null, run.tone, run.text]);
const failed = (text: string, batch: string) => ({ kind: 'failed_with', text, batches: [batch] });

test('runs without a result are not evidence, and only the batch of the others is known', () => {
  const checks = [check('A', 1, 'CHECKS_FAILED', 'types', [7, 8]), check('B', 2, 'PR_AHEAD_DEQUEUED'), check('C', 3, null), check('D', 4, 'SUCCESS'), check('E', 5, 'CHECKS_TIMEOUT')];
  assert.deepEqual(shown(checks, []), [
    [1, 'bad', '`types` failed in a batch with #8.'],
    [4, 'accent', 'Passed.'],
    [5, 'bad', 'Timed out.'],
  ]);
});

test('a run has the words of the evidence, which names everything that was tested and every check that failed', () => {
  const checks = [check('A', 1, 'CHECKS_RETRIED', 'unit'), check('A', 2, 'CHECKS_FAILED', 'lint'), check('B', 1, 'SUCCESS')];
  const evidence = [
    failed('`unit` failed when it was tested with #6.', 'old'),
    failed('`unit` failed when it was tested with #90.', 'A'),
    failed('`lint` and `unit` failed when it was tested with #90.', 'A'),
    { kind: 'retried', text: 'That was attempt 2.', batches: ['A'] },
    { kind: 'passed_without', text: '#90 passed without it.', batches: ['C'] },
  ];
  assert.deepEqual(shown(checks, evidence), [
    [null, 'bad', '`unit` failed when it was tested with #6.'],
    [1, 'bad', '`unit` failed when it was tested with #90.'],
    [2, 'bad', '`lint` and `unit` failed when it was tested with #90.'],
    [1, 'accent', 'Passed.'],
    [null, 'accent', '#90 passed without it.'],
  ]);
});

test('of many failures only the last are shown', () => {
  const checks = [check('A', 1, 'CHECKS_RETRIED', 'unit'), check('A', 2, 'CHECKS_FAILED', 'unit')];
  assert.deepEqual(shown(checks, [failed('`unit` failed when it was tested alone.', 'A')]), [
    [1, 'bad', '`unit` failed.'],
    [2, 'bad', '`unit` failed when it was tested alone.'],
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
