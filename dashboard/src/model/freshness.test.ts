import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshnessOf, troubleOf } from './freshness.ts';

type Polled = { source: string; title: string; asked_at: string | null; next_at: string | null };
const NOW = Date.parse('2026-11-02T12:00:00Z');
const fresh = (newest_event_at: string | null, quiet_after: string | null) => ({ at: '2026-11-02T12:00:00Z', newest_event_at, quiet_after, is_quiet: false, polled: [] as Polled[] });
const shown = (at: string) => at.slice(11, 16);

test('live means connected, with an event that is recent for this hour', () => {
  const recent = fresh('2026-11-02T11:35:00Z', '2026-11-02T12:30:00Z');
  assert.deepEqual(freshnessOf(true, recent, NOW, shown), { isLive: true, state: 'live', age: ', newest event 25m ago' });
  assert.deepEqual(freshnessOf(false, recent, NOW, shown), { isLive: false, state: 'not live', age: ', newest event 25m ago' });
});

test('a connection without news is not live', () => {
  const quiet = fresh('2026-11-02T08:00:00Z', '2026-11-02T09:30:00Z');
  assert.deepEqual(freshnessOf(true, quiet, NOW, shown), { isLive: false, state: 'connected, no event for 4h00m', age: '' });
  assert.deepEqual(freshnessOf(true, fresh(null, null), NOW, shown), { isLive: false, state: 'connected, no event yet', age: '' });
  assert.deepEqual(freshnessOf(true, null, NOW, shown), { isLive: false, state: 'connected', age: '' });
});

test('a source that is polled is as old as the last question', () => {
  const github = { source: 'github', title: 'GitHub', asked_at: '2026-11-02T11:53:00Z', next_at: '2026-11-02T11:58:00Z' };
  const recent = { ...fresh('2026-11-02T11:35:00Z', '2026-11-02T12:30:00Z'), polled: [github] };
  assert.equal(freshnessOf(true, recent, NOW, shown).state, 'GitHub was asked at 11:53, next at 11:58');
  const begun = { ...recent, polled: [{ ...github, asked_at: null, next_at: null }] };
  assert.equal(freshnessOf(true, begun, NOW, shown).state, 'GitHub has not been read yet');
});

test('what is wrong is counted in words', () => {
  assert.equal(troubleOf({ alerts: 2 }), '2 open alerts');
  assert.equal(troubleOf({ alerts: 0 }), '');
  assert.equal(troubleOf(null), '');
});
