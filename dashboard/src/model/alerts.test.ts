import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alert, Incident } from '../api/types.ts';
import { around, happeningsOf, queueLabel, troublesOf } from './alerts.ts';

const alert = (id: string, since: string, ended_at: string | null = null) => ({ id, since, ended_at }) as Alert;
const incident = (id: string, alerts: string[]) => ({ id, alerts, since: '2026-03-01T10:00:00Z', ended_at: null }) as unknown as Incident;

test('an incident shows its cause first, and what followed from it', () => {
  const alerts = [alert('merges', '2026-03-01T10:00:00Z'), alert('run', '2026-03-01T11:00:00Z')];
  const [found, ...others] = happeningsOf([incident('merges', ['run', 'merges']), incident('gone', ['x'])], alerts);
  assert.equal(found?.cause.id, 'run');
  assert.deepEqual(found?.others.map(({ id }) => id), ['merges']);
  assert.deepEqual(others, []);
});

test('the mark of an alert that lasts ends with the window', () => {
  const lasting = [alert('a', '2026-03-01T00:00:00Z'), alert('b', '2026-03-02T00:00:00Z', '2026-03-02T01:00:00Z')];
  assert.deepEqual(troublesOf(lasting, '2026-03-05T00:00:00Z'), [
    { start: '2026-03-01T00:00:00Z', end: '2026-03-05T00:00:00Z' },
    { start: '2026-03-02T00:00:00Z', end: '2026-03-02T01:00:00Z' },
  ]);
});

test('one sees some hours around an incident, and nothing of the future', () => {
  const night = { since: '2026-03-01T02:10:00Z', ended_at: '2026-03-01T04:55:00Z' };
  const { start, end } = around(night, Date.parse('2026-03-02T00:00:00Z'));
  assert.deepEqual([start, end], ['2026-02-28T20:00:00Z', '2026-03-01T11:00:00Z']);
  assert.equal(around({ ...night, ended_at: null }, Date.parse('2026-03-01T05:00:30Z')).end, '2026-03-01T05:00:00Z');
});

test('a queue is named with its branch', () => {
  assert.equal(queueLabel({ base_ref: 'main', queue_name: 'urgent' }), 'urgent on main');
});
