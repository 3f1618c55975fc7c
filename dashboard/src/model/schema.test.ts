import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explain, keysAt, valuesAt, type Schema } from './schema.ts';

const ROOT: Schema = {
  properties: {
    rules: { description: 'The rules.', items: { $ref: '#/$defs/Rule' } },
    self: { $ref: '#/$defs/Loop' },
  },
  $defs: {
    Rule: {
      description: 'One rule.',
      properties: {
        method: { anyOf: [{ enum: ['merge', 'rebase'] }, { type: 'null' }], default: 'merge', description: 'How.' },
        draft: { type: ['boolean', 'null'], deprecated: true, description: 'Old.' },
      },
    },
    Loop: { anyOf: [{ $ref: '#/$defs/Loop' }] },
  },
};

test('keys and values are found through references and alternatives', () => {
  assert.deepEqual(keysAt(ROOT, []).map((one) => one.key), ['rules', 'self']);
  assert.deepEqual(keysAt(ROOT, ['rules', '3']).map((one) => [one.key, one.isDeprecated]), [['method', false], ['draft', true]]);
  assert.deepEqual(valuesAt(ROOT, ['rules', '0', 'method']), ['merge', 'rebase']);
  assert.deepEqual(valuesAt(ROOT, ['rules', '0', 'draft']), ['true', 'false']);
});

test('a key is explained with its default', () => {
  assert.equal(explain(ROOT, ['rules', '0', 'method']), 'How. Default: "merge".');
  assert.equal(explain(ROOT, ['rules', '0', 'draft']), 'Old. Deprecated.');
  assert.equal(explain(ROOT, ['nope']), null);
});

test('a schema that refers to itself ends', () => {
  assert.deepEqual(keysAt(ROOT, ['self']), []);
});
