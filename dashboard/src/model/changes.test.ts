import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeMarks, lookedAt } from './changes.ts';

const change = (figure: string, began_on: string) => ({ figure, began_on, sentence: `${figure} changed` }) as Parameters<typeof changeMarks>[0][number];

test('changes of one day share a mark, and only the figures of the chart are marked', () => {
  const changes = [change('time_to_merge_p50', '2026-03-12'), change('failure_rate', '2026-03-12'), change('time_to_merge_p95', '2026-03-12')];
  assert.deepEqual(changeMarks(changes, ['time_to_merge_p50', 'time_to_merge_p95']), [
    { at: '2026-03-12T00:00:00Z', sentences: ['time_to_merge_p50 changed', 'time_to_merge_p95 changed'] },
  ]);
  assert.deepEqual(changeMarks(changes, ['ci_runs_per_merge']), []);
});

test('a period is asked for up to the last Monday, by whole days', () => {
  const found = lookedAt({ start: '2026-03-01T10:00:00Z', end: '2026-03-12T15:30:00Z' });
  assert.deepEqual([found?.start, found?.end], ['2026-03-01T00:00:00Z', '2026-03-09T00:00:00Z']);
  assert.equal(lookedAt({ start: '2026-03-10T10:00:00Z', end: '2026-03-12T15:30:00Z' }), null);
});
