import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedStreams, type Handlers, type News } from './shared-streams.ts';

function shared() {
  const open = new Map<string, Handlers>();
  const streams = new SharedStreams(
    (url, handlers) => {
      open.set(url, handlers);
      return () => void open.delete(url);
    },
    2,
    60,
  );
  const window = () => {
    const heard: string[] = [];
    return { heard, postMessage: (news: News) => void heard.push(news.kind === 'version' ? news.data : news.kind) };
  };
  return { open, streams, window };
}

test('windows share a stream, and one that comes later hears the last version', () => {
  const { open, streams, window } = shared();
  const [first, second] = [window(), window()];
  streams.want(first, 'a', 0);
  open.get('a')!.open();
  open.get('a')!.version('1');
  streams.want(second, 'a', 0);
  open.get('a')!.version('2');
  assert.deepEqual(first.heard, ['open', '1', '2']);
  assert.deepEqual(second.heard, ['open', '1', '2']);
  streams.want(first, null, 0);
  assert.deepEqual([...open.keys()], ['a']);
  streams.want(second, 'b', 0);
  assert.deepEqual([...open.keys()], ['b']);
});

test('there are at most two, and the next one begins when one is not wanted any more', () => {
  const { open, streams, window } = shared();
  const windows = ['a', 'b', 'c', 'd'].map((url) => ({ url, window: window() }));
  for (const { url, window } of windows) streams.want(window, url, 0);
  assert.deepEqual([...open.keys()], ['a', 'b']);
  streams.want(windows[0]!.window, null, 0);
  assert.deepEqual([...open.keys()], ['b', 'c']);
});

test('a window that went without saying so is forgotten', () => {
  const { open, streams, window } = shared();
  const [gone, lasting] = [window(), window()];
  streams.want(gone, 'a', 0);
  streams.want(lasting, 'b', 0);
  streams.want(lasting, 'b', 50);
  assert.deepEqual([...open.keys()], ['a', 'b']);
  streams.want(lasting, 'b', 100);
  assert.deepEqual([...open.keys()], ['b']);
});

test('a stream that ends is begun again only if a window wants it again', () => {
  const { open, streams, window } = shared();
  const [one, waiting] = [window(), window()];
  streams.want(one, 'a', 0);
  open.get('a')!.end(true);
  assert.deepEqual(one.heard, ['end']);
  open.clear();
  streams.want(waiting, 'b', 0);
  assert.deepEqual([...open.keys()], ['b']);
  streams.want(one, 'a', 0);
  assert.deepEqual([...open.keys()], ['b', 'a']);
});
