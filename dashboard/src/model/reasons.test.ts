import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelOf } from './reasons.ts';

test('codes read as English, even those of a newer server', () => {
  assert.equal(labelOf('PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE'), 'checks stopped: the queue was paused');
  assert.equal(labelOf('A_NEW_REASON'), 'a new reason');
});
