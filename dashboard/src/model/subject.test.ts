import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe, fileName } from './subject.ts';

const WEEK = { start: '2026-03-02T00:00:00Z', end: '2026-03-09T10:30:00Z' };

test('a line says repository, period and filters', () => {
  const filters = { branch: 'main', queue: null, 'priority rule': 'high' };
  assert.equal(
    describe({ repository: 'acme/widgets', period: WEEK, filters }, 'UTC'),
    'acme/widgets · 2026-03-02 00:00 to 2026-03-09 10:30 UTC · branch \u2068main\u2069 · priority rule \u2068high\u2069',
  );
  assert.equal(describe({ repository: 'acme/widgets', period: null, filters: {} }, 'UTC'), 'acme/widgets');
});

test('names of files are plain', () => {
  assert.equal(fileName({ repository: 'Acme/w.x', period: WEEK, filters: {} }, 'Time in queue', 'csv'), 'acme-w-x-time-in-queue-2026-03-02-2026-03-09.csv');
  assert.equal(fileName({ repository: null, period: null, filters: {} }, 'Repositories', 'csv'), 'repositories.csv');
});
