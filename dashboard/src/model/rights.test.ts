import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryAfter, rightsInWords, scopesInWords } from './rights.ts';

test('rights are words, and one that is not known keeps its name', () => {
  assert.deepEqual(rightsInWords(['list', 'read', 'badge', 'ingest', 'new']), ['read figures and simulate configurations', 'send events and snapshots', 'new']);
  assert.equal(scopesInWords(['read', 'admin', 'sources', 'new']), 'read and simulate, change settings, add queues of platforms, new');
});

test('a key expires after whole days, or never', () => {
  assert.equal(expiryAfter(30, Date.UTC(2026, 2, 1)), '2026-03-31T00:00:00.000Z');
  assert.equal(expiryAfter(null, 0), null);
});
