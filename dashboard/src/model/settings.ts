// The settings of queues in the words of each platform.

import type { QueueSettings, Search } from '../api/types.ts';
import { formatDuration } from './duration.ts';

export type Kind = QueueSettings['kind'];
export type Values = Record<string, number>;

/** What a search varies by default, rows first; a queue of GitLab has one such setting. */
export const AXES: Record<Kind, readonly string[]> = {
  mergify: ['batch_size', 'max_parallel_checks'],
  github: ['max_entries_to_merge', 'max_entries_to_build'],
  gitlab: ['parallel_pipelines'],
};

const LABELS: Record<string, string> = {
  batch_size: 'batch size',
  max_parallel_checks: 'parallel checks',
  batch_max_wait_time: 'waits to fill a batch',
  max_checks_retries: 'retries',
  checks_timeout: 'timeout of checks',
  batch_max_failure_resolution_attempts: 'splits of a failed batch',
  skip_intermediate_results: 'skips intermediate results',
  mode: 'mode',
  max_entries_to_build: 'build concurrency',
  min_entries_to_merge: 'smallest group',
  max_entries_to_merge: 'largest group',
  wait_minutes: 'waits for the smallest group',
  grouping_strategy: 'grouping strategy',
  parallel_pipelines: 'parallel pipelines',
};

export function labelOf(setting: string): string {
  return LABELS[setting] ?? setting;
}

/** Such as `batch size 4, 12 parallel checks`. */
export function inWords(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([name, value]) => (['max_parallel_checks', 'parallel_pipelines'].includes(name) ? `${value} ${labelOf(name)}` : `${labelOf(name)} ${value}`))
    .join(', ');
}

/** ` in all 3 queues`: a recommendation is for every queue of the branch. Empty if there is one. */
export function inAllQueues({ settings }: Pick<Search, 'settings'>): string {
  const count = Object.keys(settings.baseline).length;
  return count > 1 ? ` in all ${count} queues` : '';
}

/** Each setting of a queue as understood: its label and its value in words. Those that are off are left out. */
export function understood(queue: QueueSettings): [string, string][] {
  return Object.keys(LABELS)
    .filter((name) => name in queue)
    .map((name): [string, unknown] => [name, queue[name as keyof QueueSettings]])
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => [labelOf(name), valueInWords(name, value)]);
}

function valueInWords(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null && 'min' in value && 'max' in value) return `${value.min} to ${value.max}`;
  if (value === true) return 'yes';
  if (typeof value !== 'number') return String(value);
  if (name === 'wait_minutes') return formatDuration(value * 60);
  return name === 'batch_max_wait_time' || name === 'checks_timeout' ? formatDuration(value) : String(value);
}

/** The queue that is asked about, or else all of the branch. */
export function queuesOf({ queue_name, settings }: Pick<Search, 'queue_name' | 'settings'>): [string, QueueSettings][] {
  const all = Object.entries(settings.baseline);
  const named = all.filter(([name]) => name === queue_name);
  return named.length > 0 ? named : all;
}

export function kindOf(search: Pick<Search, 'queue_name' | 'settings'> | null): Kind {
  return search ? (queuesOf(search)[0]?.[1].kind ?? 'mergify') : 'mergify';
}

/** Today's value of a setting: of queues that differ, the largest. */
export function todayOf(search: Pick<Search, 'queue_name' | 'settings'>, setting: string): number {
  return Math.max(1, ...queuesOf(search).map(([, queue]) => numberOf(queue[setting as keyof QueueSettings])));
}

/** Today's values of a setting, of one queue or of all: `4`, or `1 or 4` where queues differ. */
export function todayInWords(search: Pick<Search, 'queue_name' | 'settings'>, setting: string, queue: string | null): string {
  const own = queue === null ? undefined : search.settings.baseline[queue];
  const queues = own ? [own] : queuesOf(search).map(([, one]) => one);
  const values = queues.map((one) => one[setting as keyof QueueSettings] as unknown).filter((value) => value !== undefined);
  const written = values.map((value) => (typeof value === 'object' && value !== null ? `${(value as { min: number }).min} to ${(value as { max: number }).max}` : String(value)));
  return [...new Set(written)].sort((a, b) => parseFloat(a) - parseFloat(b)).join(' or ');
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null && 'max' in value ? Number(value.max) : 1;
}

export const SOURCES: Record<Search['settings']['source_of_baseline'], string> = {
  'document in force': 'from the current document',
  history: 'inferred from the history',
  platform: 'from the platform',
  request: 'as requested',
};

/** Values of an axis in a URL or a field: `1, 2, 4`; null unless all are whole numbers from 1 to `most`. */
export function readValues(text: string | null, most = 1000): number[] | null {
  const parts = (text ?? '').split(',').map((part) => part.trim()).filter(Boolean);
  const values = parts.map(Number);
  const isRight = values.length > 0 && values.length <= 10 && values.every((value, i) => /^\d+$/.test(parts[i] ?? '') && value >= 1 && value <= most);
  return isRight ? [...new Set(values)].sort((a, b) => a - b) : null;
}
