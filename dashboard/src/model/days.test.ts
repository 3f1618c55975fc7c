import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, formatPeriod, spanOf } from './days.ts';

// The tests' process reads its zone when it is first asked for a local time.
process.env['TZ'] = 'Europe/Berlin';
const NOW = Date.parse('2026-11-15T14:07:31.250Z');
const days = (firstDay: string, lastDay: string, firstTime = '', lastTime = '') => ({ firstDay, firstTime, lastDay, lastTime });

test('whole days begin and end at midnight of the zone', () => {
  assert.deepEqual(spanOf(days('2026-11-12', '2026-11-12'), 'UTC'), { start: '2026-11-12T00:00:00Z', end: '2026-11-13T00:00:00Z' });
  assert.deepEqual(spanOf(days('2026-11-12', '2026-11-12'), 'local'), { start: '2026-11-11T23:00:00Z', end: '2026-11-12T23:00:00Z' });
  assert.deepEqual(spanOf(days('2026-12-30', '2026-12-31'), 'UTC'), { start: '2026-12-30T00:00:00Z', end: '2027-01-01T00:00:00Z' });
});

test('the days of a clock change have 23 and 25 hours', () => {
  assert.deepEqual(spanOf(days('2026-03-29', '2026-03-29'), 'local'), { start: '2026-03-28T23:00:00Z', end: '2026-03-29T22:00:00Z' });
  assert.deepEqual(spanOf(days('2026-10-25', '2026-10-25'), 'local'), { start: '2026-10-24T22:00:00Z', end: '2026-10-25T23:00:00Z' });
  assert.deepEqual(spanOf(days('2026-03-29', '2026-03-29', '02:30', '04:00'), 'local'), { start: '2026-03-29T01:30:00Z', end: '2026-03-29T02:00:00Z' });
});

test('times make the period exact', () => {
  assert.deepEqual(spanOf(days('2026-11-12', '2026-11-12', '08:30', '12:00'), 'UTC'), { start: '2026-11-12T08:30:00Z', end: '2026-11-12T12:00:00Z' });
});

test('a period returns to the form that made it', () => {
  for (const zone of ['local', 'UTC'] as const) {
    for (const form of [days('2026-11-12', '2026-11-13'), days('2026-10-25', '2026-10-25'), days('2026-11-12', '2026-11-12', '08:30', '12:00'), days('2026-11-12', '2026-11-12', '', '06:00')]) {
      assert.deepEqual(daysOf(spanOf(form, zone), zone), form);
    }
  }
});

test('what cannot be read becomes no instant', () => {
  assert.deepEqual(spanOf(days('', 'x'), 'UTC'), { start: '', end: '' });
  assert.deepEqual(spanOf(days('275760-09-14', '2026-11-12', '', '1'), 'local'), { start: '', end: '' });
  assert.deepEqual(daysOf({ start: 'x', end: 'y' }, 'local'), days('', ''));
});

test('a period is written with what it needs', () => {
  const shown = (form: ReturnType<typeof days>, zone: 'local' | 'UTC' = 'UTC') => formatPeriod(spanOf(form, zone), zone, NOW);
  assert.equal(shown(days('2026-11-12', '2026-11-12')), '12 Nov');
  assert.equal(shown(days('2026-10-25', '2026-10-25'), 'local'), '25 Oct');
  assert.equal(shown(days('2026-11-12', '2026-11-14')), '12 Nov – 14 Nov');
  assert.equal(shown(days('2025-12-31', '2026-01-01')), '31 Dec 2025 – 1 Jan 2026');
  assert.equal(shown(days('2026-11-12', '2026-11-12', '08:00', '12:00')), '12 Nov, 08:00 – 12:00');
  assert.equal(shown(days('2026-11-12', '2026-11-13', '08:00')), '12 Nov, 08:00 – 13 Nov, 24:00');
});
