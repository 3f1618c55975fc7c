import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ticksOf } from './ticks.ts';

const span = (start: string, end: string) => ({ start: Date.parse(start), end: Date.parse(end) });
const labels = (ticks: { label: string }[]) => ticks.map((tick) => tick.label);

test('ticks are at round times; those at the ends have no label', () => {
  const ticks = ticksOf(span('2026-11-15T10:04:00Z', '2026-11-15T11:16:00Z'), 'UTC', 0);
  assert.deepEqual(labels(ticks), ['10:15', '10:30', '10:45', '11:00', '']);
  assert.equal(ticks[0]?.at, 11 / 72);
});

test('a line over several days has days, at midnight of the zone', () => {
  assert.deepEqual(labels(ticksOf(span('2026-11-12T15:00:00Z', '2026-11-16T15:00:00Z'), 'UTC', 0)), ['13 Nov', '14 Nov', '15 Nov', '16 Nov']);
  const ahead = ticksOf(span('2026-11-12T15:00:00Z', '2026-11-16T15:00:00Z'), 'UTC', 120);
  assert.equal(ahead[0]?.at, 7 / 96);
});

test('there are at most a few, whatever the length', () => {
  for (const hours of [0.01, 0.5, 1, 5, 23, 100, 1000, 20_000]) {
    const start = Date.parse('2026-11-12T15:07:03Z');
    const { length } = ticksOf({ start, end: start + hours * 3_600_000 }, 'UTC', 0);
    assert.ok(length >= 2 && length <= 7, `${hours} hours: ${length}`);
  }
  assert.deepEqual(ticksOf({ start: 5, end: 5 }, 'UTC', 0), []);
  assert.deepEqual(ticksOf({ start: Number.NaN, end: 5 }, 'UTC', 0), []);
});
