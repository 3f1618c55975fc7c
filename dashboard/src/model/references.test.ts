import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partAt, withoutReferences, type Json } from './references.ts';

const DOCUMENT: Json = {
  paths: { '/v1/repos': { get: { answer: { $ref: '#/schemas/Page' } } } },
  schemas: {
    Page: { items: [{ $ref: '#/schemas/Tree' }, { $ref: '#/paths/~1v1~1repos/name' }, { $ref: 'other.json' }] },
    Tree: { leaves: { $ref: '#/schemas/Tree' } },
  },
};

test('what a reference refers to takes its place, except inside of itself', () => {
  const part = partAt(DOCUMENT, ['paths', '/v1/repos', 'get']);
  assert.deepEqual(withoutReferences(DOCUMENT, part), {
    answer: { items: [{ leaves: { $ref: '#/schemas/Tree' } }, null, { $ref: 'other.json' }] },
  });
});

test('nothing is at a place that does not exist', () => {
  assert.equal(partAt(DOCUMENT, ['paths', '/v2', 'get']), null);
});
