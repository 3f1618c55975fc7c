import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queueLabel, signalsOf, troublesOf } from './signals.ts';

const problem = (name: string, since: string, ended_at: string | null = null) => ({
  name, base_ref: 'main', queue_name: 'default', since, found_at: since, ended_at, sentence: `${name}.`, advice: 'Look.', evidence: {}, level: {},
}) as unknown as Parameters<typeof troublesOf>[0][number];
const alert = (id: string, began_at: string) => ({ id, baseline: 'march', base_ref: 'main', queue_name: 'default', sentence: `${id}.`, began_at }) as never;

test('problems come before alerts, and the oldest of each first', () => {
  const found = signalsOf([problem('b', '2026-03-02T00:00:00Z'), problem('a', '2026-03-01T00:00:00Z')], [{ alerts: [alert('worse', '2026-02-01T00:00:00Z')] }]);
  assert.deepEqual(found.map((one) => one.sentence), ['a.', 'b.', 'worse.']);
  assert.equal(found[2]?.advice, 'Compared with the baseline march.');
});

test('the mark of a problem that lasts ends with the window', () => {
  const lasting = [problem('a', '2026-03-01T00:00:00Z'), problem('b', '2026-03-02T00:00:00Z', '2026-03-02T01:00:00Z')];
  assert.deepEqual(troublesOf(lasting, '2026-03-05T00:00:00Z'), [
    { start: '2026-03-01T00:00:00Z', end: '2026-03-05T00:00:00Z' },
    { start: '2026-03-02T00:00:00Z', end: '2026-03-02T01:00:00Z' },
  ]);
});

test('a queue is named with its branch', () => {
  assert.equal(queueLabel({ base_ref: 'main', queue_name: 'urgent' }), 'urgent on main');
});
