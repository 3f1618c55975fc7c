import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, get, replay, textOf, type Asking } from './question.ts';
import { periodOf, readView } from './view.ts';

const WEB = { owner: 'acme', repository: 'web' };
const NOW = Date.parse('2026-11-15T14:07:31Z');
const week = (now: number) => periodOf(readView(new URLSearchParams()), now);

test('only a value is a question: what reads state later does not compile', () => {
  const right: Asking<unknown> = () => about(WEB, '/summary');
  // @ts-expect-error: a function would run where its reads are not tracked.
  const request: Asking<unknown> = () => (signal: AbortSignal) => fetch('/v1/repos', { signal });
  // @ts-expect-error: a promise would read state after its first wait.
  const promise: Asking<unknown> = async () => get('/v1/repos');
  // @ts-expect-error: a path alone does not say what the answer is.
  const path: Asking<unknown> = () => '/v1/repos';

  assert.equal(right()?.path, 'v1/repos/acme/web/summary');
  for (const wrong of [request, promise, path]) assert.equal(typeof wrong, 'function');
});

test('parameters that are null are left out, others are escaped', () => {
  const { path } = about(WEB, '/stays', { base_ref: null, queue_name: 'a&b', order: '-seconds' });
  assert.equal(path, 'v1/repos/acme/web/stays?queue_name=a%26b&order=-seconds');
});

test('a window that moves on is another request about the same subject', () => {
  const [first, later] = [NOW, NOW + 60_000].map((now) => about(WEB, '/summary', { period: week(now) }));
  assert.notEqual(textOf(first!), textOf(later!));
  assert.equal(first!.subject, later!.subject);
});

test('another window, filter, path or repository is another subject', () => {
  const month = periodOf(readView(new URLSearchParams('window=28d')), NOW);
  const subjects = [
    about(WEB, '/summary', { period: week(NOW) }),
    about(WEB, '/summary', { period: month }),
    about(WEB, '/summary', { period: week(NOW), base_ref: 'main' }),
    about(WEB, '/summary', { period: week(NOW), queue_name: 'main' }),
    about(WEB, '/stays', { period: week(NOW) }),
    about({ ...WEB, repository: 'app' }, '/summary', { period: week(NOW) }),
    replay(WEB, '/forecast', { base_ref: 'main' }),
    replay(WEB, '/forecast', { base_ref: 'next' }),
  ].map((one) => one.subject);
  assert.equal(new Set(subjects).size, subjects.length);
});
