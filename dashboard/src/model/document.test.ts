import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueueSettings } from '../api/types.ts';
import { documentOf, withSettings } from './document.ts';

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
    'queue_rules:\n  - name: "a \\"queue\\""\n    batch_size: {min: 1, max: 3}\n    batch_max_wait_time: 60 s\n    max_checks_retries: 1\nmerge_queue:\n  max_parallel_checks: 7\n',
  );
});
