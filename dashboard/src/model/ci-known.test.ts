import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unknownCi } from './ci-known.ts';

const of = (value: number | null) => ({ value, before: null, change: null, count: 0 });
const REASON = 'No CI runs were reported for these queues, so figures about CI are not known.';

test('figures about CI are missing for a reason', () => {
  const known = { merged: of(3), ci_runs_per_merge: of(0), waiting_schedule: of(0), waiting_ci: of(0) };
  const empty = { merged: of(0), ci_runs_per_merge: of(null), waiting_schedule: of(null), waiting_ci: of(null) };
  assert.equal(unknownCi(known), null);
  assert.equal(unknownCi(empty), null);
  assert.equal(unknownCi({ ...known, ci_runs_per_merge: of(null), waiting_ci: of(null) }), REASON);
  assert.equal(unknownCi({ ...empty, waiting_schedule: of(0) }), REASON);
});
