import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about } from './question.ts';
import { before, comparedWith, parametersOf, periodOf, readView, writeView } from './view.ts';

const NOW = Date.parse('2026-11-15T14:07:31.250Z');
const answered = (start: string, end: string, startBefore: string, endBefore: string) => ({
  window: { start, end },
  window_before: { start: startBefore, end: endBefore },
});
const read = (query: string) => readView(new URLSearchParams(query));

test('an address restores its view', () => {
  for (const query of ['', 'window=28d', 'branch=main&queue=a%26b&priority=urgent', 'from=2026-11-01T00%3A00%3A00Z&to=2026-11-02T00%3A00%3A00Z']) {
    assert.equal(writeView(new URLSearchParams(), read(query)).toString(), query);
  }
});

test('writing a view keeps the other parameters', () => {
  const written = writeView(new URLSearchParams('open=load&window=90d'), read(''));
  assert.equal(written.toString(), 'open=load');
});

test('tampered values count as absent', () => {
  const usual = { window: '7d', base_ref: null, queue_name: null, priority_rule_name: null };
  for (const query of ['window=9w', 'from=x&to=y', 'from=2026-11-02&to=2026-11-01', 'branch=&queue=&priority=']) {
    assert.deepEqual(read(query), usual, query);
  }
});

test('a window ends at the next full minute', () => {
  assert.deepEqual(periodOf(read('window=24h'), NOW), { start: '2026-11-14T14:08:00Z', end: '2026-11-15T14:08:00Z', name: '24h' });
});

test('a request names the period and the filters', () => {
  const view = read('queue=<img src=x>&priority=urgent');
  const { path } = about({ owner: 'acme', repository: 'web' }, '/summary', parametersOf(view, periodOf(view, NOW)));
  assert.equal(path, 'v1/repos/acme/web/summary?start_at=2026-11-08T14%3A08%3A00Z&end_at=2026-11-15T14%3A08%3A00Z&queue_name=%3Cimg+src%3Dx%3E&priority_rule_name=urgent');
});

test('the period before is the one that the summary names', () => {
  const adjoining = answered('2026-10-18T14:08:00Z', '2026-11-15T14:08:00Z', '2026-09-20T14:08:00Z', '2026-10-18T14:08:00Z');
  assert.deepEqual(before(adjoining, periodOf(read('window=28d'), NOW)), { start: '2026-09-20T14:08:00Z', end: '2026-10-18T14:08:00Z', name: 'before 28d' });
  const earlier = answered('2026-11-14T14:08:00Z', '2026-11-15T14:08:00Z', '2026-11-07T14:08:00Z', '2026-11-08T14:08:00Z');
  assert.deepEqual(before(earlier, periodOf(read('window=24h'), NOW)), { start: '2026-11-07T14:08:00Z', end: '2026-11-08T14:08:00Z', name: 'before 24h' });
});

test('a period is compared with the one that adjoins it, or with the same hours a week earlier', () => {
  const day = answered('2026-11-14T14:08:00Z', '2026-11-15T14:08:00Z', '2026-11-07T14:08:00Z', '2026-11-08T14:08:00Z');
  assert.equal(comparedWith(read('window=24h'), day), 'the same hours a week earlier');
  const short = answered('2026-11-01T00:00:00Z', '2026-11-03T00:00:00Z', '2026-10-25T00:00:00Z', '2026-10-27T00:00:00Z');
  assert.equal(comparedWith(read('from=2026-11-01&to=2026-11-03'), short), 'the same hours a week earlier');
  const long = answered('2026-11-01T00:00:00Z', '2026-11-13T00:00:00Z', '2026-10-20T00:00:00Z', '2026-11-01T00:00:00Z');
  assert.equal(comparedWith(read('from=2026-11-01&to=2026-11-13'), long), 'the period before');
  assert.equal(comparedWith(read('window=7d'), long), 'the week before');
});
