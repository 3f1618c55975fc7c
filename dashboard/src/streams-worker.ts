// Runs once for all windows of a browser, and holds their streams.

import { openStream } from './event-stream.ts';
import { SharedStreams, type News } from './model/shared-streams.ts';

const MOST = 2;
/** Three times as long as windows take between saying what they want. */
const PATIENCE = 60_000;

const streams = new SharedStreams(openStream, MOST, PATIENCE);

addEventListener('connect', (event) => {
  const port = (event as MessageEvent).ports[0];
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<string | null>) => streams.want(port, data, Date.now());
  port.postMessage({ kind: 'ready' } satisfies News);
});
