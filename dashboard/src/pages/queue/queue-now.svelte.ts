// The content of the queues, requested again when events arrive, and while the server computes expected merges.

import type { QueueNow } from '../../api/types.ts';
import { asked, type Asked } from '../../asked.svelte.ts';
import { about, type Name } from '../../model/question.ts';

const PATIENCE = 5_000;

export function queueNow(name: () => Name): Asked<QueueNow> {
  const queue = asked(() => about(name(), '/queue'));
  $effect(() => {
    if (!queue.data?.queues.some((one) => one.expected_merges === 'pending')) return;
    const timer = setTimeout(() => queue.again(), PATIENCE);
    return () => clearTimeout(timer);
  });
  return queue;
}
