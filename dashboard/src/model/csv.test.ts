import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from './csv.ts';

test('fields are quoted where needed', () => {
  assert.equal(csv(['queue', 'p50'], [['a,"b"', 1.5], ['x\ny', null]]), 'queue,p50\r\n"a,""b""",1.5\r\n"x\ny",\r\n');
});

test('text does not become a formula', () => {
  assert.equal(csv(['name'], [['=HYPERLINK(1)'], ['-1']]), "name\r\n'=HYPERLINK(1)\r\n'-1\r\n");
});
