import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Check, StayInDetail } from '../api/types.ts';
import { between, gapsOf } from './gaps.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const at = (time: string) => `2026-11-15T${time}:00Z`;
const WAITED = { ci: 1800, capacity: 2000, schedule: 0, freeze: 0 };

function check(started: string, ended: string | null, outcome: string | null): Check {
  return { batch_id: started, attempt: 1, pull_requests: [7], started_at: at(started), ended_at: ended && at(ended), outcome, ci_checks: [], ci_checks_total: 0, failed_ci_check: null };
}

function stay(checks: Check[], given: Partial<StayInDetail> = {}): StayInDetail {
  return {
    session_id: 's', pull_request: 7, base_ref: 'main', queue_name: 'default', priority_rule_name: null, entered_at: at('10:00'),
    left_at: at('11:10'), reason: 'PR_MERGED', seconds: 4200, waiting: WAITED, retries: 0, head_sha: null, verdict: null, is_being_judged: false, checks, bisections: [], ...given,
  };
}

const shown = (one: StayInDetail) =>
  gapsOf(one, NOW).map(({ start, end, wait, text }) => [new Date(start).toISOString().slice(11, 16), new Date(end).toISOString().slice(11, 16), wait, text]);

test('a gap says when it was, and what the stay waited for if that was one thing', () => {
  const checks = [check('10:20', '10:30', 'CHECKS_FAILED'), check('10:40', '11:00', 'SUCCESS')];
  assert.deepEqual(shown(stay(checks)), [
    ['10:00', '10:20', 'capacity', 'before its first CI run, waiting for capacity'],
    ['10:30', '10:40', 'capacity', 'after CI: checks failed, waiting for capacity'],
    ['11:00', '11:10', 'capacity', 'after CI: passed, waiting for capacity'],
  ]);
});

test('several kinds of waiting are named with their times, because no event says which came when', () => {
  const mixed = stay([check('10:20', '11:10', 'SUCCESS')], { waiting: { ci: 3000, capacity: 600, schedule: 20, freeze: 600 } });
  assert.deepEqual(shown(mixed), [['10:00', '10:20', null, 'before its first CI run, waiting for capacity (10m of this stay) or freeze (10m of this stay)']]);
});

test('an open stay waits until now, and nothing is known about why', () => {
  const open = { left_at: null, reason: null, seconds: null, waiting: null };
  assert.deepEqual(shown(stay([check('10:00', '11:00', 'SUCCESS')], open)), [['11:00', '12:00', null, 'after CI: passed']]);
  assert.deepEqual(shown(stay([check('10:01', null, null)], open)), [['10:00', '10:01', null, 'before its first CI run']].slice(1));
  assert.deepEqual(shown(stay([], open)), [['10:00', '12:00', null, 'without a CI run']]);
});

test('gaps do not depend on the order of the runs, and overlapping runs leave none', () => {
  const runs = [check('10:00', '10:40', 'SUCCESS'), check('10:10', '10:20', 'SUCCESS'), check('10:50', '11:10', 'SUCCESS')];
  const orders = [runs, [...runs].reverse(), [runs[1], runs[2], runs[0]] as Check[]];
  for (const order of orders) assert.deepEqual(shown(stay(order)), [['10:40', '10:50', 'capacity', 'after CI: passed, waiting for capacity']]);
});

test('runs and gaps together cover the stay', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
  for (let turn = 0; turn < 200; turn++) {
    const start = Date.parse(at('10:00'));
    const checks = Array.from({ length: random(6) }, () => {
      const began = start + random(70) * 60_000;
      const ended = Math.min(began + random(30) * 60_000, Date.parse(at('11:10')));
      return { ...check('10:00', '10:00', 'SUCCESS'), started_at: new Date(began).toISOString(), ended_at: new Date(ended).toISOString() };
    });
    const gaps = gapsOf(stay(checks), NOW);
    for (let minute = 0; minute < 70; minute++) {
      const instant = start + minute * 60_000 + 30_000;
      const isRun = checks.some((one) => Date.parse(one.started_at) <= instant && instant < Date.parse(one.ended_at));
      assert.equal(gaps.some((gap) => gap.start <= instant && instant < gap.end), !isRun);
    }
  }
});

test('the time between two stays', () => {
  const later = stay([], { entered_at: at('11:40') });
  assert.deepEqual(between(stay([]), later), { start: at('11:10'), end: at('11:40'), seconds: 1800 });
  assert.equal(between(stay([], { left_at: null }), later), null);
  assert.equal(between(later, stay([])), null);
  assert.equal(between(stay([]), stay([], { entered_at: null })), null);
});
