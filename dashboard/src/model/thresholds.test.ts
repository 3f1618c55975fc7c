import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SetThreshold } from '../api/types.ts';
import { fieldText, fieldValue, learnedText, nameOf, replaced, scopesOf, setInWords, thresholdAt } from './thresholds.ts';

const everywhere: SetThreshold = { figure: 'run_too_long', base_ref: null, queue_name: null, value: 5400, alert: true };
const hotfix: SetThreshold = { figure: 'run_too_long', base_ref: 'main', queue_name: 'hotfix', value: null, alert: true };

test('all queues come first, then each queue, then what else has a threshold', () => {
  const queues = [{ base_ref: 'main', queue_name: 'default' }, { base_ref: 'main', queue_name: 'hotfix' }];
  const labels = scopesOf([hotfix, { ...everywhere, base_ref: 'dev' }, { ...everywhere, queue_name: 'slow' }], queues).map((one) => one.label);
  assert.deepEqual(labels, ['all queues', 'default on main', 'hotfix on main', 'every queue of dev', 'slow on every branch']);
});

test('a field has a value, nothing, or off', () => {
  assert.deepEqual([fieldText(undefined), fieldText(everywhere), fieldText(hotfix)], ['', '1h30m', 'off']);
  assert.equal(fieldText({ ...everywhere, figure: 'failure_rate', value: 0.05 }), '5.0%');
  assert.deepEqual([fieldValue(' '), fieldValue('Off'), fieldValue(' 45m ')], [null, { value: null }, { value: '45m' }]);
});

test('a row names its figure, and a learned value is rounded', () => {
  assert.deepEqual([nameOf('time_to_merge_p95'), nameOf('splits')], ['Time to merge, p95', 'A batch is split']);
  assert.deepEqual([learnedText('run_too_long', 24_049.277), learnedText('nothing_merges', 12.987), learnedText('forgotten', null)], ['6h40m', '13.00', '–']);
});

test('a threshold replaces the one of its place only', () => {
  const scope = { label: '', base_ref: 'main', queue_name: 'hotfix' };
  const after = replaced([everywhere, hotfix], scope, 'run_too_long', { value: '2h', alert: true });
  assert.deepEqual(after, [everywhere, { ...hotfix, value: '2h' }]);
  assert.deepEqual(replaced(after, scope, 'run_too_long', null), [everywhere]);
  assert.equal(thresholdAt(after, { label: '', base_ref: null, queue_name: null }, 'run_too_long'), everywhere);
});

test('one line says what is set for a queue', () => {
  const scope = { label: '', base_ref: 'main', queue_name: 'hotfix' };
  const rate: SetThreshold = { ...hotfix, figure: 'failure_rate', value: 0.05, alert: false };
  assert.equal(setInWords([everywhere, rate, hotfix], scope), 'A CI run lasts: off; Failure rate: 5.0%, without alerts');
  assert.equal(setInWords([everywhere], scope), '');
});
