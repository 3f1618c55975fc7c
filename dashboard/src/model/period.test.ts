import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonOf, weeksOf } from './compare.ts';
import { fixed, lastPeriod, overBy, parseInstant, problemOf, untilNow } from './period.ts';

const NOW = Date.parse('2026-11-15T14:07:31.250Z');
const day = (start: string, end: string) => ({ start: `${start}T00:00:00Z`, end: `${end}T00:00:00Z` });

test('windows end now; a year begins in January, and everything with the first event', () => {
  const starts = (['24h', '90d', 'year'] as const).map((name) => lastPeriod(name, NOW, null).start);
  assert.deepEqual(starts, ['2026-11-14T14:08:00Z', '2026-08-17T14:08:00Z', '2026-01-01T00:00:00Z']);
  assert.equal(lastPeriod('all', NOW, '2024-03-05T17:00:00Z').start, '2024-03-05T00:00:00Z');
  assert.equal(lastPeriod('all', NOW, '2026-11-15T14:00:00Z').start, '2026-11-14T14:08:00Z', 'a day at least');
  assert.equal(lastPeriod('year', Date.parse('2027-01-01T00:00:00Z'), null).start, '2026-01-01T00:00:00Z');
});

test('a reference period is over, and as long as the window that was chosen', () => {
  const chosen = lastPeriod('7d', NOW - 90_000, null);
  assert.deepEqual(overBy(chosen, NOW), { start: '2026-11-08T14:07:00Z', end: '2026-11-15T14:07:00Z' });
  const week = fixed(day('2026-11-08', '2026-11-15'));
  assert.deepEqual(overBy(week, NOW), day('2026-11-08', '2026-11-15'));
  const untilToday = untilNow(fixed(day('2026-11-08', '2026-11-16')), NOW);
  assert.deepEqual(overBy(untilToday, NOW), { start: '2026-11-08T00:00:00Z', end: '2026-11-15T14:07:00Z' });
});

test('only days and instants are read', () => {
  assert.equal(parseInstant('2026-11-12'), Date.parse('2026-11-12T00:00:00Z'));
  assert.equal(parseInstant('2026-11-12T08:30:00+01:00'), Date.parse('2026-11-12T07:30:00Z'));
  for (const text of ['', 'x', '1', '2026-02-30', '2026-13-01', '2026-11-12T08:30', '2026-11-12T25:00:00Z', '12.11.2026']) {
    assert.ok(Number.isNaN(parseInstant(text)), text);
  }
});

test('a wrong period gets a sentence', () => {
  assert.equal(problemOf(day('2026-11-12', '2026-11-13'), NOW), null);
  assert.equal(problemOf(day('2026-11-15', '2026-11-16'), NOW), null, 'today');
  assert.equal(problemOf({ start: 'x', end: '' }, NOW), 'These dates cannot be read. A day is written like 2026-11-12, an instant like 2026-11-12T08:30:00Z.');
  assert.equal(problemOf(day('2026-11-13', '2026-11-13'), NOW), 'The period ends before it begins: choose an end after its beginning.');
  assert.equal(problemOf(day('2026-11-20', '2026-11-21'), NOW), 'The period begins in the future: choose days up to today.');
  assert.equal(problemOf(day('2026-11-12', '2026-11-21'), NOW), 'The period ends in the future: choose a last day up to today.');
  assert.equal(problemOf(day('1912-04-14', '2026-11-12'), NOW), 'The period begins before 1970, and nothing is recorded from then: choose a later first day.');
});

test('a period that lasts until tonight ends now', () => {
  const today = fixed(day('2026-11-15', '2026-11-16'));
  assert.deepEqual(untilNow(today, NOW), { ...today, end: '2026-11-15T14:08:00Z' });
  assert.deepEqual(untilNow(fixed(day('2026-11-12', '2026-11-13')), NOW).end, '2026-11-13T00:00:00Z');
});

test('a period is compared with the one before, earlier weeks, or a pinned one', () => {
  const shown = fixed(day('2026-11-02', '2026-11-12'));
  const pinned = [{ name: 'spring', start_at: '2026-03-02T00:00:00Z', end_at: '2026-03-16T00:00:00Z' }];
  assert.deepEqual(comparisonOf('usual', shown, pinned, 'UTC'), { period: null, problem: null });
  assert.deepEqual(comparisonOf('before', shown, pinned, 'UTC').period, { ...day('2026-10-23', '2026-11-02'), name: 'before' });
  assert.deepEqual(comparisonOf('week', shown, pinned, 'UTC').period, { ...day('2026-10-19', '2026-10-29'), name: 'week' }, 'two weeks earlier');
  assert.deepEqual(comparisonOf({ pinned: 'spring' }, shown, pinned, 'UTC').period, { ...day('2026-03-02', '2026-03-16'), name: 'pinned spring' });
  assert.equal(weeksOf(day('2026-11-05', '2026-11-12')), 1);
});

test('a comparison that is impossible says why', () => {
  const shown = fixed(day('2026-11-02', '2026-11-12'));
  const pinned = [{ name: 'now', start_at: '2026-11-10T00:00:00Z', end_at: '2026-11-20T00:00:00Z' }];
  assert.deepEqual(comparisonOf({ pinned: 'gone' }, shown, pinned, 'UTC'), { period: null, problem: 'There is no pinned period gone, so the figures are compared as usual.' });
  assert.deepEqual(comparisonOf({ pinned: 'now' }, shown, pinned, 'UTC'), {
    period: null,
    problem: 'The pinned period now (10 Nov – 19 Nov) and the one shown overlap, so the figures are compared as usual.',
  });
});
