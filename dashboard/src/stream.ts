// A stream of the server, which this window shares with the others of the browser.

import { openStream } from './event-stream.ts';
import type { Handlers, News } from './model/shared-streams.ts';

const BEAT = 20_000;
/** A worker that has not answered by then does not run: its file may be missing, and not every browser says so. */
const SILENCE = 5_000;

/** Null if this browser has none: then each window has its own stream. A phone shows one window at a time anyway. */
let worker: SharedWorker | null | undefined;
let isWorkerHeard = false;

function startedWorker(): SharedWorker | null {
  try {
    return new SharedWorker(new URL('./streams-worker.ts', import.meta.url), { type: 'module', name: 'mergecast live' });
  } catch {
    return null;
  }
}

/** Listens to a stream; the result stops that. Only one is listened to at a time. */
export function listen(url: string, handlers: Handlers): () => void {
  worker = worker === undefined ? startedWorker() : worker;
  return worker ? share(worker, url, handlers) : openStream(url, handlers);
}

function share(shared: SharedWorker, url: string, handlers: Handlers): () => void {
  const { port } = shared;
  const giveUp = () => {
    worker = null;
    handlers.end(false);
  };
  const silence = isWorkerHeard ? undefined : setTimeout(giveUp, SILENCE);
  port.onmessage = ({ data }: MessageEvent<News>) => {
    isWorkerHeard = true;
    clearTimeout(silence);
    if (data.kind === 'ready' || data.url !== url) return;
    if (data.kind === 'open') handlers.open();
    else if (data.kind === 'version') handlers.version(data.data);
    else handlers.end(data.isRefused);
  };
  // Its file may be missing after an upgrade of the server.
  shared.onerror = giveUp;
  const want = () => port.postMessage(url);
  const timer = setInterval(want, BEAT);
  want();
  return () => {
    clearTimeout(silence);
    clearInterval(timer);
    port.onmessage = null;
    port.postMessage(null);
  };
}
