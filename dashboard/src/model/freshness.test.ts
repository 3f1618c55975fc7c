import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshnessOf, troubleOf } from './freshness.ts';

const NOW = Date.parse('2026-11-02T12:00:00Z');
const fresh = (newest_event_at: string | null, quiet_after: string | null) => ({ at: '2026-11-02T12:00:00Z', newest_event_at, quiet_after, is_quiet: false });

test('live means connected, with an event that is recent for this hour', () => {
  const recent = fresh('2026-11-02T11:35:00Z', '2026-11-02T12:30:00Z');
  assert.deepEqual(freshnessOf(true, recent, NOW), { isLive: true, state: 'live', age: ', newest event 25m ago' });
  assert.deepEqual(freshnessOf(false, recent, NOW), { isLive: false, state: 'not live', age: ', newest event 25m ago' });
});

test('a connection without news is not live', () => {
  const quiet = fresh('2026-11-02T08:00:00Z', '2026-11-02T09:30:00Z');
  assert.deepEqual(freshnessOf(true, quiet, NOW), { isLive: false, state: 'connected, no event for 4h00m', age: '' });
  assert.deepEqual(freshnessOf(true, fresh(null, null), NOW), { isLive: false, state: 'connected, no event yet', age: '' });
  assert.deepEqual(freshnessOf(true, null, NOW), { isLive: false, state: 'connected', age: '' });
});

test('what is wrong is counted in words', () => {
  assert.equal(troubleOf({ alerts: 2 }), '2 open alerts');
  assert.equal(troubleOf({ alerts: 0 }), '');
  assert.equal(troubleOf(null), '');
});
