import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costSentence } from './cost.ts';

const UNKNOWN = { total_before: '0.0000', total_change: null, per_merge_before: null, per_merge_change: null };
const COST = { currency: 'USD', total: '1234.5000', per_merge: '1.7240', wasted: '0.6400', ...UNKNOWN, queues: [], checks: [] };

test('the cost of CI in one sentence', () => {
  const end = 'of it went into runs that failed, were repeated, superseded or stopped. Cost counts the minutes of all checks; CI time per merge counts the length of CI runs.';
  assert.equal(costSentence(COST), `CI cost $1,234.50, $1.72 per merge; $0.64 ${end}`);
  assert.equal(costSentence({ ...COST, per_merge: null }), `CI cost $1,234.50; $0.64 ${end}`);
  assert.equal(costSentence({ ...COST, currency: 'XTS' }).replaceAll('\u00a0', ' '), `CI cost XTS 1,234.50, XTS 1.72 per merge; XTS 0.64 ${end}`);
  const compared = { ...COST, total_change: 0.204, per_merge_change: -0.05 };
  assert.equal(costSentence(compared), `CI cost $1,234.50 (+20%), $1.72 (−5%) per merge; $0.64 ${end}`);
});
