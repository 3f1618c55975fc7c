import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf, placeOf, type Place, repositoryNamed } from './place.ts';

const acme = { owner: 'acme', repository: 'widgets.js' };
const PLACES: [string, Place][] = [
  ['', { page: 'repositories' }],
  ['r/acme', { page: 'repositories', of: 'acme' }],
  ['settings', { page: 'account' }],
  ['sources', { page: 'queues' }],
  ['r/acme/widgets.js/settings', { page: 'settings', ...acme }],
  ['r/acme/widgets.js', { page: 'overview', ...acme }],
  ['r/acme/widgets.js/queue', { page: 'queue', ...acme }],
  ['r/acme/widgets.js/pulls/42', { page: 'pull', ...acme, number: 42 }],
];

test('an address and its page are each other’s inverse', () => {
  for (const [path, place] of PLACES) {
    assert.deepEqual(placeOf(path), place);
    assert.equal(pathOf(place), path);
  }
});

test('other addresses are unknown', () => {
  const paths = ['x', 'r', 'r/a b', 'x/acme', 'r/acme/widgets/overview', 'r/acme/widgets/nope', 'r/a b/c', 'r/acme/<img>',
    'r/acme/widgets/pulls', 'r/acme/widgets/pulls/x', 'r/acme/widgets/queue/1', 'r/acme/widgets/pulls/1/2'];
  for (const path of paths) assert.deepEqual(placeOf(path), { page: 'unknown' }, path);
});

test('owner and name make a repository', () => {
  assert.deepEqual(repositoryNamed(' acme/widgets '), { owner: 'acme', repository: 'widgets' });
  for (const text of ['', 'acme', 'acme/', 'acme/a/b', 'ac me/widgets']) assert.equal(repositoryNamed(text), null);
});
