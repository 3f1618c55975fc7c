// One stream of the server, as its handlers hear it.

import type { Handlers } from './model/shared-streams.ts';

/** Opens a stream; the result closes it. After its end, it is closed. */
export function openStream(url: string, handlers: Handlers): () => void {
  const source = new EventSource(url);
  source.addEventListener('open', () => handlers.open());
  source.addEventListener('version', ({ data }) => handlers.version(String(data)));
  source.addEventListener('error', () => {
    const isRefused = source.readyState === EventSource.CLOSED;
    source.close();
    handlers.end(isRefused);
  });
  return () => source.close();
}
