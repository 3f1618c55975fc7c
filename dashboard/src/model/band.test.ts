import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Figures } from '../api/types.ts';
import { referenceBand, comparedBand } from './band.ts';

const figure = (before: number | null) => ({ value: 1, before, change: null, count: 1 });
const figures = (p50: number | null, p95: number | null) => ({ time_in_queue_p50: figure(p50), time_in_queue_p95: figure(p95) }) as Figures;
const pinned = (name: string, queue_name: string, pinned_at: string, p95: number | null) => ({
  ...{ name, base_ref: 'main', queue_name, pinned_at },
  figures: { time_to_merge_p95: p95, failure_rate: 0.1, ci_runs_per_merge: 1 },
});

test('a pinned period that is compared with is a band from p50 to p95', () => {
  const band = (given: Figures, compare = { pinned: 'spring' }) => comparedBand(compare, given, 'time_in_queue_p50', 'time_in_queue_p95');
  assert.deepEqual(band(figures(60, 300)), { label: 'pinned spring', low: 60, high: 300 });
  assert.equal(band(figures(null, 300)), null);
  assert.equal(comparedBand('week', figures(60, 300), 'time_in_queue_p50', 'time_in_queue_p95'), null);
});

test('the newest reference period of the only queue is a line', () => {
  const queue = { base_ref: 'main', queue_name: 'default' };
  const all = [pinned('old', 'default', '2026-01-01', 100), pinned('new', 'default', '2026-06-01', 200), pinned('other', 'hotfix', '2026-07-01', 300)];
  assert.deepEqual(referenceBand(all, [queue], 'time_to_merge_p95'), { label: 'p95 to merge in new', low: 200, high: 200 });
  assert.deepEqual(referenceBand(all, [queue], 'failure_rate'), { label: 'failures in new', low: 0.1, high: 0.1 });
  assert.equal(referenceBand(all, [queue, { base_ref: 'next', queue_name: 'default' }], 'time_to_merge_p95'), null);
  assert.equal(referenceBand([pinned('none', 'default', '2026-01-01', null)], [queue], 'time_to_merge_p95'), null);
});
