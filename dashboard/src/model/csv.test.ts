import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnName, csv } from './csv.ts';

const NOTHING = { repository: null, period: null };

test('fields are quoted where needed', () => {
  const table = { columns: ['queue', 'p50_seconds'], rows: [['a,"b"', 1.5], ['x\ny', null]] };
  assert.equal(csv(table, NOTHING), 'queue,p50_seconds\r\n"a,""b""",1.5\r\n"x\ny",\r\n');
});

test('text does not become a formula, and numbers stay numbers', () => {
  const rows = [['=HYPERLINK(1)'], ['-1'], ["'=1"], ["'x"], ['\uff1d1'], [-1], [true]];
  assert.equal(csv({ columns: ['name'], rows }, NOTHING), "name\r\n'=HYPERLINK(1)\r\n'-1\r\n''=1\r\n'x\r\n'\uff1d1\r\n-1\r\ntrue\r\n");
});

test('the first columns say what the table is about', () => {
  const about = { repository: 'acme/widgets', period: { start: '2026-03-02T00:00:00Z', end: '2026-03-09T00:00:00Z' } };
  assert.equal(
    csv({ columns: ['merged'], rows: [[3]] }, about),
    'repository,period_start,period_end,merged\r\nacme/widgets,2026-03-02T00:00:00Z,2026-03-09T00:00:00Z,3\r\n',
  );
});

test('names of columns have units', () => {
  assert.deepEqual(
    [columnName('p50 before', 'seconds'), columnName('CI', 'seconds'), columnName('failure rate', 'rate'), columnName('(other)', 'count')],
    ['p50_before_seconds', 'ci_seconds', 'failure_rate', 'other'],
  );
});
