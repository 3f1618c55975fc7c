// What is wrong with queues: the present for a banner, the past for marks in charts.

import type { Baseline, QueueProblem } from '../api/types.ts';
import type { Span } from './chart.ts';
import { shown } from './shown.ts';

export interface Signal {
  key: string;
  base_ref: string;
  queue_name: string;
  sentence: string;
  advice: string;
  since: string;
}

/** Problems come before alerts, because something stands still; then the oldest comes first. */
export function signalsOf(problems: readonly QueueProblem[], baselines: readonly Pick<Baseline, 'alerts'>[]): Signal[] {
  const stuck = problems.map((one): Signal => ({
    key: `${one.name} ${one.base_ref} ${one.queue_name} ${one.since}`,
    base_ref: one.base_ref,
    queue_name: one.queue_name,
    sentence: one.sentence,
    advice: one.advice,
    since: one.since,
  }));
  const worse = baselines.flatMap((baseline) => baseline.alerts).map((one): Signal => ({
    key: one.id,
    base_ref: one.base_ref,
    queue_name: one.queue_name,
    sentence: one.sentence,
    advice: `Compared with the baseline ${one.baseline}.`,
    since: one.began_at,
  }));
  return [...oldestFirst(stuck), ...oldestFirst(worse)];
}

/** When problems lasted; one that lasts until now ends with the window. */
export function troublesOf(problems: readonly QueueProblem[], end: string): Span[] {
  return problems.map((one) => ({ start: one.since, end: one.ended_at ?? end }));
}

export function queueLabel({ base_ref, queue_name }: { base_ref: string; queue_name: string }): string {
  return `${shown(queue_name)} on ${shown(base_ref)}`;
}

function oldestFirst(signals: readonly Signal[]): Signal[] {
  return [...signals].sort((a, b) => (a.since < b.since ? -1 : 1));
}
