// With little data nothing is good or bad: chance alone may explain it.

import type { Summary } from '../api/types.ts';
import type { Threshold, Tone } from './chart.ts';
import { plural } from './numbers.ts';

/** Figures about fewer stays, merges or runs say little. */
export const FEW = 20;

/** Why a figure of so few things is not judged; null if there are enough. */
export function fewReason(count: number, what: string): string | null {
  return count < FEW ? `Only ${plural(count, what)}: chance alone may explain the value, so it is not judged` : null;
}

/** A threshold, which says nothing about few things. */
export function judged(threshold: Threshold | null | undefined, count: number): Threshold | null {
  return threshold ? { ...threshold, is_exceeded: count < FEW ? null : threshold.is_exceeded } : null;
}

/** The thresholds of a summary; each figure says how many stays or runs are behind it. */
export function judgedThresholds({ thresholds, all }: Pick<Summary, 'thresholds' | 'all'>): Record<keyof Summary['thresholds'], Threshold | null> {
  const { time_in_queue_p95, time_to_merge_p95, failure_rate, ci_runs_per_merge } = thresholds;
  return {
    time_in_queue_p95: judged(time_in_queue_p95, all.time_in_queue_p95.count),
    time_to_merge_p95: judged(time_to_merge_p95, all.time_to_merge_p95.count),
    failure_rate: judged(failure_rate, all.failure_rate.count),
    ci_runs_per_merge: judged(ci_runs_per_merge, all.merged.count),
  };
}

/** The color of what is bad, if it is among enough things. */
export function badTone(isBad: boolean, count: number, other: Tone = 'grey'): Tone {
  return isBad && count >= FEW ? 'bad' : other;
}
