import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wantedOf } from './search.ts';

const name = { owner: 'acme', repository: 'widgets' };
const pull = (number: number, of = name) => ({ kind: 'pull', name: of, number });
const words = (text: string) => ({ kind: 'words', words: text });

test('a number is a pull request of this repository', () => {
  for (const text of ['7', '#7', '  #7 ']) assert.deepEqual(wantedOf(text, name), pull(7));
});

test('an address names its repository', () => {
  const other = { owner: 'orbit', repository: 'lander' };
  for (const text of [
    'https://github.com/orbit/lander/pull/42',
    'https://github.example.com/orbit/lander/pull/42/files?w=1#diff',
    'https://gitlab.com/orbit/lander/-/merge_requests/42',
    'https://gitlab.com/group/orbit/lander/-/merge_requests/42/diffs',
    'http://127.0.0.1:8000/r/orbit/lander/pulls/42?window=7d',
    'https://tools.example.com/mergecast/r/orbit/lander/pulls/42',
    'orbit/lander#42',
  ]) assert.deepEqual(wantedOf(text, name), pull(42, other), text);
});

test('everything else is words of a title', () => {
  for (const text of ['fix login', '7 wonders', '#7a', 'https://github.com/orbit/lander/issues/42', 'https://github.com/o%20/lander/pull/4', '<img src=x>']) {
    assert.deepEqual(wantedOf(text, name), words(text));
  }
  assert.equal(wantedOf('  ', name), null);
  assert.deepEqual(wantedOf('x'.repeat(300), name), words('x'.repeat(255)));
});
