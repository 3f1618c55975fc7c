import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actsOf, type CiCheck, COLUMNS, flakeRateText, intervalText, largest, sorted, valueText } from './ci-checks.ts';

const check = (name: string, failed: number | null, waited: number | null) =>
  ({ name, runs: 10, failed: 1, failure_rate: failed, removals: 0, blocked_seconds: 0, flaky: 0, flake_rate: failed, flake_interval: { low: 0, high: 0.5 }, evidence: { same_commit: 0, other_run: 0, built_on: 0, failed_again: 0, not_tried: 0, links: [] }, seconds: { p50: null, p95: null, sum: 0 }, waited_seconds: { p50: waited, p95: waited, sum: 0 }, critical: { runs: 0, share: null, p50: null }, by_runner: [] }) satisfies CiCheck;
const CHECKS = [check('a', 0.1, null), check('b', 0.4, 60), check('c', null, 0)];
const COSTLY: CiCheck = { ...check('types', 0.1, null), runs: 20, failed: 8, removals: 8, blocked_seconds: 85_680 };
const SLOW: CiCheck = { ...check('gpu kernels', 0, 660), runs: 20 };
const WEEK = { start: '2026-11-10T08:00:00Z', end: '2026-11-17T08:00:00Z' };
const names = (checks: readonly CiCheck[]) => checks.map((one) => one.name);

test('checks stand in the order of the API unless a column is chosen', () => {
  assert.deepEqual(names(sorted(CHECKS, null)), ['a', 'b', 'c']);
  assert.deepEqual(names(sorted(CHECKS, 'no such column')), ['a', 'b', 'c']);
});

test('the largest value of a column comes first, and what is not known last', () => {
  assert.deepEqual(names(sorted(CHECKS, 'failures')), ['b', 'a', 'c']);
  assert.deepEqual(names(sorted(CHECKS, 'waited')), ['b', 'c', 'a']);
});

test('bars are measured by the largest value of their column', () => {
  assert.equal(largest(CHECKS).get('failures'), 0.4);
  assert.equal(largest([]).get('runs'), 0);
  assert.equal(largest([check('rare', 0.006, null)]).get('flaky'), 0.1);
  assert.deepEqual([...largest(CHECKS).keys()], COLUMNS.map((one) => one.key));
});

test('an estimate has its interval, and says when it cannot be told', () => {
  const flaky = COLUMNS.find((one) => one.key === 'flaky')!;
  assert.deepEqual(CHECKS.map((one) => valueText(flaky, one)), ['10.0%', '40.0%', 'cannot tell']);
  assert.equal(intervalText(flaky, CHECKS[0]!), '0.0% to 50.0%');
  assert.equal(valueText(flaky, { ...CHECKS[2]!, flake_interval: null }), '–');
  assert.equal(intervalText(COLUMNS[0]!, CHECKS[0]!), '');
});

test('how often a check fails by chance, beside its name', () => {
  assert.equal(flakeRateText({ flake_rate: 0.04, flake_interval: { low: 0.02, high: 0.07 } }), 'fails by chance in 4% of its runs (2% to 7%)');
  assert.equal(flakeRateText({ flake_rate: null, flake_interval: null }), 'cannot tell how often it fails by chance');
});

test('the page says what to do first', () => {
  assert.deepEqual(actsOf({ checks: [SLOW, COSTLY, { ...COSTLY, name: 'lint', blocked_seconds: 60 }], window: WEEK }), [
    { check: 'types', sentence: 'Fix `types` first: it removed 8 pull requests and held up others for 23h48m in these 7 days.' },
    { check: 'gpu kernels', sentence: 'One in 20 runs of `gpu kernels` waited 11m or longer for a machine in these 7 days.' },
  ]);
});

test('the page begins with a sentence where there is nothing to do', () => {
  const calm = (...checks: CiCheck[]) => actsOf({ checks, window: WEEK });
  assert.deepEqual(calm(check('calm', 0.2, 60)), [{ check: null, sentence: 'No check removed a pull request in these 7 days.' }]);
  assert.deepEqual(calm({ ...COSTLY, runs: 19 }, { ...SLOW, runs: 19 }), [{ check: null, sentence: 'Checks removed 8 pull requests in these 7 days, and none of them stands out.' }]);
  assert.deepEqual(calm({ ...COSTLY, failed: 2, removals: 1 }), [{ check: null, sentence: 'Checks removed 1 pull request in these 7 days, and none of them stands out.' }]);
});
