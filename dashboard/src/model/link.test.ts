import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packDocument, unpackDocument } from './link.ts';

test('a link gives its document back', async () => {
  for (const text of ['', 'queue_rules:\n  - name: ü ✓\n', 'a'.repeat(100_000)]) {
    assert.equal(await unpackDocument((await packDocument(text)) ?? 'none'), text);
  }
});

test('a document that stays long is not in the link', async () => {
  const random = Array.from({ length: 20_000 }, (_, i) => Math.sin(i).toString(36)).join('');
  assert.equal(await packDocument(random), null);
});

test('a tampered link has no document', async () => {
  for (const packed of ['%%%', 'AAAA', 'x'.repeat(9000)]) assert.equal(await unpackDocument(packed), null);
});
