import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changes } from '../api/types.ts';
import { changeMarks, changesOn, lookedAt, unchangedOn } from './changes.ts';

const change = (figure: string, began_on: string) => ({ figure, began_on, sentence: `${figure} changed` }) as Parameters<typeof changeMarks>[0][number];

test('changes of one day share a mark, and only the figures of the chart are marked', () => {
  const changes = [change('time_to_merge_p50', '2026-03-12'), change('failure_rate', '2026-03-12'), change('time_to_merge_p95', '2026-03-12')];
  assert.deepEqual(changeMarks(changes, ['time_to_merge_p50', 'time_to_merge_p95']), [
    { at: '2026-03-12T00:00:00Z', figures: ['time_to_merge_p50', 'time_to_merge_p95'], sentences: ['time_to_merge_p50 changed', 'time_to_merge_p95 changed'] },
  ]);
  assert.deepEqual(changeMarks(changes, ['ci_runs_per_merge']), []);
});

test('a day has the changes that may have begun on it, and figures that were looked at and have none', () => {
  const dated = (figure: string, began_on: string, earliest: string, latest: string) => ({ ...change(figure, began_on), earliest, latest });
  const changes = [dated('passed_run_p50', '2026-03-12', '2026-03-11', '2026-03-14'), dated('failure_rate', '2026-03-20', '2026-03-20', '2026-03-20')];
  const watched = (figure: string, days: number, missing_days: number) => ({ figure, days, missing_days }) as Changes['figures'][number];
  const figures = [watched('passed_run_p50', 90, 0), watched('failure_rate', 90, 0), watched('waiting_machines', 0, 0), watched('entered_per_day', 30, 26)];
  assert.deepEqual(changesOn(changes, '2026-03-13').map(({ figure }) => figure), ['passed_run_p50']);
  assert.deepEqual(changesOn(changes, '2026-03-15'), []);
  assert.deepEqual(unchangedOn({ changes, figures }, '2026-03-12'), ['failure_rate']);
});

test('a period is asked for up to the last Monday, by whole days', () => {
  const found = lookedAt({ start: '2026-03-01T10:00:00Z', end: '2026-03-12T15:30:00Z' });
  assert.deepEqual([found?.start, found?.end], ['2026-03-01T00:00:00Z', '2026-03-09T00:00:00Z']);
  assert.equal(lookedAt({ start: '2026-03-10T10:00:00Z', end: '2026-03-12T15:30:00Z' }), null);
});
