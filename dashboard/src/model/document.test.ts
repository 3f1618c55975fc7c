import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueueSettings } from '../api/types.ts';
import { changedLines, documentOf, withSettings } from './document.ts';

const DOCUMENT = `# ours
queue_rules:
  - name: default
    batch_size: 3  # enough
    queue_conditions:
      - check-success = ci
  - name: hotfix
    queue_conditions: []
  - batch_size:
      min: 1
      max: 4
    name: slow

merge_queue:
  mode: serial
pull_request_rules: []
`;

test('settings are written into every queue, and nothing else changes', () => {
  assert.equal(
    withSettings(DOCUMENT, { batch_size: 8, max_parallel_checks: 12, ci_speed: 0.8 }),
    `# ours
queue_rules:
  - name: default
    batch_size: 8  # enough
    queue_conditions:
      - check-success = ci
  - name: hotfix
    batch_size: 8
    queue_conditions: []
  - batch_size: 8
    name: slow

merge_queue:
  mode: serial
  max_parallel_checks: 12
pull_request_rules: []
`,
  );
});

test('a document without a merge queue section gets one', () => {
  assert.equal(withSettings('queue_rules:\n- name: a', { max_parallel_checks: 2 }), 'queue_rules:\n- name: a\nmerge_queue:\n  max_parallel_checks: 2\n');
  assert.equal(withSettings('queue_rules:\n- name: a\n', { batch_max_wait_time: 90 }), 'queue_rules:\n- name: a\n  batch_max_wait_time: 90 s\n');
});

test('a document of another form is not changed', () => {
  assert.equal(withSettings('queue_rules: [{name: a}]\n', { batch_size: 2 }), null);
  assert.equal(withSettings('merge_queue: {mode: serial}\n', { max_parallel_checks: 2 }), null);
});

test('without a document, one is made of the settings as understood', () => {
  const queue = { kind: 'mergify', batch_size: { min: 1, max: 3 }, batch_max_wait_time: 60, max_checks_retries: 1, max_parallel_checks: 5 } as unknown as QueueSettings;

  assert.equal(
    documentOf({ 'a "queue"': queue }, { max_parallel_checks: 7 }),
    '# The current document is not known, so the conditions are missing. They belong here:\n# `queue_conditions` in each queue, and `pull_request_rules` that put pull requests into a queue.\nqueue_rules:\n  - name: "a \\"queue\\""\n    batch_size: {min: 1, max: 3}\n    batch_max_wait_time: 60 s\n    max_checks_retries: 1\nmerge_queue:\n  max_parallel_checks: 7\n',
  );
});

test('settings of one queue change no other', () => {
  const text = 'queue_rules:\n  - name: default # the usual one\n    batch_size: 4 # since May\n  - batch_size: 1\n    name: "hotfix"\n';

  assert.equal(withSettings(text, { batch_size: 2 }, 'default'), text.replace('batch_size: 4', 'batch_size: 2'));
  assert.equal(withSettings(text, { batch_size: 2 }, 'hotfix'), text.replace('batch_size: 1', 'batch_size: 2'));
  assert.equal(withSettings(text, { batch_size: 2 }, 'release'), null);
});

test('a made document changes one queue only', () => {
  const queue = { kind: 'mergify', batch_size: 1, max_parallel_checks: 5 } as unknown as QueueSettings;
  const sizes = documentOf({ default: queue, hotfix: queue }, { batch_size: 3 }, 'default').match(/batch_size: \d/g);

  assert.deepEqual(sizes, ['batch_size: 3', 'batch_size: 1']);
});

test('a change shows its lines with those around them', () => {
  const before = ['a', 'b', 'c', 'size: 1', 'd', 'e', 'f', 'g', 'h', 'i'].join('\n');
  const shown = changedLines(before, before.replace('size: 1', 'size: 2').replace(/i$/, 'i\nj'));

  assert.deepEqual(shown.map(({ sign, text }) => sign + text), [' b', ' c', '-size: 1', '+size: 2', ' d', ' e', ' …', ' h', ' i', '+j']);
  assert.deepEqual(changedLines(before, before), []);
});
