// The content of the queues, requested again when events arrive, and while the server computes expected merges.

import { getOf, type Name } from '../../api/client.ts';
import type { QueueNow } from '../../api/types.ts';
import { asked, type Asked } from '../../asked.svelte.ts';
import { live } from '../../live.svelte.ts';

const PATIENCE = 5_000;

export function queueNow(name: () => Name): Asked<QueueNow> {
  let attempt = $state(0);
  const queue = asked(() => {
    void live.version;
    void attempt;
    const of = name();
    return (signal) => getOf(of, '/queue', undefined, signal);
  });
  $effect(() => {
    if (!queue.data?.queues.some((one) => one.expected_merges === 'pending')) return;
    const timer = setTimeout(() => (attempt += 1), PATIENCE);
    return () => clearTimeout(timer);
  });
  return queue;
}
