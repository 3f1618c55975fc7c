import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorOf, MOST_USED } from './api-requests.ts';

test('a link leads to the place of a request', () => {
  const request = MOST_USED.find((one) => one.path.endsWith('/summary'));
  assert.equal(request && anchorOf(request), '#/Statistics/get_v1_repos__owner___repository__summary');
  assert.equal(MOST_USED.length, 10);
});
