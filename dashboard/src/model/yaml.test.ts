import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKey, keysOf, placeAt } from './yaml.ts';

const DOCUMENT = `# comment: no
queue_rules:
  - name: default
    batch_size: 5   # why: speed
    queue_conditions:
      - "check-success: ci"
  - name: hotfix
pull_request_rules:
- name: merge
  actions:
    comment:
      message: |
        looks: like a key
    queue:
      name: default
shared: {a: 1}
`;

test('every key of block style has its path', () => {
  const paths = keysOf(DOCUMENT).map(({ line, path }) => `${line} ${path.join('.')}`);
  assert.deepEqual(paths, [
    '2 queue_rules', '3 queue_rules.0.name', '4 queue_rules.0.batch_size', '5 queue_rules.0.queue_conditions',
    '7 queue_rules.1.name', '8 pull_request_rules', '9 pull_request_rules.0.name', '10 pull_request_rules.0.actions',
    '11 pull_request_rules.0.actions.comment', '12 pull_request_rules.0.actions.comment.message',
    '14 pull_request_rules.0.actions.queue', '15 pull_request_rules.0.actions.queue.name', '16 shared',
  ]);
});

test('a path finds its key, or the nearest around it', () => {
  assert.deepEqual(findKey(DOCUMENT, ['queue_rules', '1', 'name'])?.line, 7);
  assert.deepEqual(findKey(DOCUMENT, ['queue_rules', '0', 'batch_size'])?.column, 5);
  assert.deepEqual(findKey(DOCUMENT, ['shared', 'a'])?.line, 16);
  assert.equal(findKey(DOCUMENT, ['nothing']), null);
});

test('a place is where a key or a value is being written', () => {
  const at = (text: string) => placeAt(text.split('\n'));
  assert.deepEqual(at('qu'), { kind: 'key', path: [], written: 'qu' });
  assert.deepEqual(at('queue_rules:\n  - na'), { kind: 'key', path: ['queue_rules', '0'], written: 'na' });
  assert.deepEqual(at('queue_rules:\n  - name: x\n    '), { kind: 'key', path: ['queue_rules', '0'], written: '' });
  assert.deepEqual(at('queue_rules:\n  - name: x\n    merge_method: re'), { kind: 'value', path: ['queue_rules', '0', 'merge_method'], written: 're' });
  assert.deepEqual(at('queue_rules:\n  - name: x\nmer'), { kind: 'key', path: [], written: 'mer' });
  assert.equal(at('# qu'), null);
  assert.equal(at('a: b c'), null);
});
