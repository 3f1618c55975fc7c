import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CiExecution, Combination, StayInDetail } from '../api/types.ts';
import { mapPicture } from './map-picture.ts';
import { stayPicture } from './stay-picture.ts';
import { timelineTable, waterfallTable } from './tables.ts';
import { waterfallPicture } from './waterfall-picture.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const HEADING = { title: 'Timeline', note: '', about: HOSTILE, source: 'Mergecast' };
const color = (token: string) => `#${token.length.toString(16).padStart(6, '0')}`;
const at = (time: string) => `2026-11-15T${time}:00Z`;
const NOW = Date.parse(at('12:00'));
const words = (picture: string) => [...picture.matchAll(/<text [^>]*>([^<]*)</g)].map((match) => match[1]);

const run = { batch_id: HOSTILE, attempt: 1, pull_requests: [1], started_at: at('10:30'), ended_at: null, outcome: null, ci_checks: [], ci_checks_total: 0, failed_ci_check: null };
const STAY: StayInDetail = {
  session_id: 's', pull_request: 1, base_ref: 'main', queue_name: HOSTILE, priority_rule_name: null, entered_at: at('10:00'), left_at: null,
  reason: null, seconds: null, waiting: null, retries: 0, head_sha: null, verdict: null, is_being_judged: false, checks: [run], bisections: [],
};

test('a timeline has its runs, gaps and ticks, and hostile names stay text', () => {
  const picture = stayPicture({ stay: STAY, now: NOW }, HEADING, 'UTC', color);
  assert.ok(!picture.includes('<img') && !picture.includes('NaN'));
  const shown = words(picture);
  assert.ok(shown.includes('A·1') && shown.includes('11:00'));
  assert.ok(shown.some((line) => line?.endsWith('30m before its first CI run')));
  assert.ok(shown.includes('A·1 &lt;img src=x onerror=alert(1)&gt;: in progress'));
});

test('a stay without anything but its end is still a picture', () => {
  const stay = { ...STAY, entered_at: null, left_at: at('11:00'), checks: [] };
  assert.ok(!/NaN|Infinity/.test(stayPicture({ stay, now: NOW }, HEADING, 'UTC', color)));
});

test('the table of a timeline has the stay, its runs and its gaps', () => {
  assert.deepEqual(timelineTable({ stay: STAY, now: NOW }).rows, [
    [1, 'stay', 'in the queue', at('10:00'), null, 7200],
    [1, 'ci run', `${HOSTILE}, attempt 1: in progress`, at('10:30'), null, 5400],
    [1, 'gap', 'before its first CI run', at('10:00'), at('10:30'), 1800],
  ]);
});

test('a map has both figures of each combination, and what stands out', () => {
  const combination = { state: 'computed', time_to_merge_p95: { value: 3600 }, ci_runs_per_merge: { value: 1.25 } } as unknown as Combination;
  const cell = { row: 2, column: 4, combination, shade: 3, isUnbeaten: true, isToday: true, isUnobserved: true };
  const map = { rows: { setting: 'batch_size', values: [1, 2] }, columns: { setting: 'max_parallel_checks', values: [4, 8] }, cells: [cell, { ...cell, row: 1, shade: null, combination: { ...combination, state: 'not computed' as const } }] };
  const picture = mapPicture(map, HEADING, color);
  assert.deepEqual(['1h00m', '1.25', 'not computed', '8', 'Upper figure and shade (stronger is longer): p95 to merge; lower figure: CI runs per merge.', 'Framed: no other is both faster and cheaper. Dashed: today. Hatched: beyond what was recorded.'].filter((one) => !words(picture).includes(one)), []);
  assert.ok(picture.includes('url(#hatch)') && picture.includes('stroke-dasharray="5 4"'));
});

test('the CI checks of a run as a picture and a table, and hostile names stay text', () => {
  const unit = { check_id: 'a', name: 'unit', conclusion: 'success', is_required: true, queued_at: at('10:30'), started_at: at('10:40'), ended_at: at('11:10'), runner: 'large', url: null } as CiExecution;
  const check = { ...run, ci_checks: [unit, { ...unit, name: HOSTILE, conclusion: 'failure' as const, queued_at: null, ended_at: at('10:50') }], ci_checks_total: 7 };
  const picture = waterfallPicture({ check, now: NOW }, HEADING, color);
  assert.ok(!picture.includes('<img') && !picture.includes('NaN'));
  const shown = words(picture);
  assert.deepEqual(['unit', 'passed in 30m, waited 10m', 'failed after 10m'].filter((one) => !shown.includes(one)), []);
  assert.ok(shown.includes('Thin and grey: waited. Thick: ran. These are the longest 2 of 7 CI checks.'));
  assert.deepEqual(waterfallTable(check).rows, [
    [HOSTILE, 1, 'unit', 'large', true, 'success', at('10:30'), at('10:40'), at('11:10'), 600, 1800],
    [HOSTILE, 1, HOSTILE, 'large', true, 'failure', null, at('10:40'), at('10:50'), null, 600],
  ]);
});
