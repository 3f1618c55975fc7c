import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf } from './period.ts';
import { about } from './question.ts';
import { before, parametersOf, periodOf, readView, writeView, zoomedInto, zoomedOut } from './view.ts';

const NOW = Date.parse('2026-11-15T14:07:31.250Z');
const answered = (start: string, end: string, startBefore: string, endBefore: string) => ({
  window: { start, end },
  window_before: { start: startBefore, end: endBefore },
});
const read = (query: string) => readView(new URLSearchParams(query));

test('an address restores its view', () => {
  for (const query of ['', 'window=28d', 'window=year&compare=week', 'window=all&pinned=spring', 'from=2026-11-01T00%3A00%3A00Z&to=2026-11-02T00%3A00%3A00Z&out=28d&out=2026-11-01T00%3A00%3A00Z%2F2026-11-08T00%3A00%3A00Z&compare=before', 'branch=main&queue=a%26b&priority=urgent', 'from=2026-11-01T00%3A00%3A00Z&to=2026-11-02T00%3A00%3A00Z']) {
    assert.equal(writeView(new URLSearchParams(), read(query)).toString(), query);
  }
});

test('writing a view keeps the other parameters', () => {
  const written = writeView(new URLSearchParams('open=load&window=90d'), read(''));
  assert.equal(written.toString(), 'open=load');
});

test('tampered filters count as absent, and a period that cannot be read stays for the page to explain', () => {
  const usual = { window: '7d', outer: [], compare: 'usual', base_ref: null, queue_name: null, priority_rule_name: null };
  for (const query of ['branch=&queue=&priority=', 'compare=x', 'pinned=', 'out=9w&out=x/y&out=2026-11-02/2026-11-01']) {
    assert.deepEqual(read(query), usual, query);
  }
  for (const query of ['window=9w', 'from=x&to=y', 'from=2026-11-02&to=2026-11-01', 'from=2026-11-02', 'to=2026-11-02']) {
    const { window } = read(query);
    assert.ok(typeof window === 'object' && problemOf(window, NOW), query);
  }
});

test('zooming out undoes zooming in', () => {
  const week = read('window=28d');
  const once = { ...week, ...zoomedInto(week, { start: '2026-11-01T00:00:00Z', end: '2026-11-08T00:00:00Z' }) };
  const twice = { ...once, ...zoomedInto(once, { start: '2026-11-02T00:00:00Z', end: '2026-11-03T00:00:00Z' }) };
  assert.deepEqual({ ...twice, ...zoomedOut(twice) }, once);
  assert.deepEqual({ ...once, ...zoomedOut(once) }, week);
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
