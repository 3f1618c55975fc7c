// The candidate's settings and what else the page asks, as the URL contains them.

import type { ForecastRequest } from '../../api/types.ts';
import { OF_QUEUES } from '../../model/document.ts';
import type { Kind, Values } from '../../model/settings.ts';

export interface SettingField {
  name: string;
  label: string;
  hint: string;
  most: number;
  /** What to write, if the API takes more than the field does. */
  rule?: string;
  /** A factor on what was recorded, which need not be whole; 1 changes nothing. */
  isFactor?: boolean;
}

const OF_KIND: Record<Kind, readonly SettingField[]> = {
  mergify: [
    { name: 'batch_size', label: 'Batch size', hint: 'pull requests tested together', most: 128, rule: 'Write a whole number from 1 to 128.' },
    { name: 'max_parallel_checks', label: 'Parallel checks', hint: 'CI runs at the same time', most: 128 },
    { name: 'batch_max_wait_time', label: 'Wait to fill a batch, s', hint: 'how many seconds a batch waits for more pull requests', most: 86_400 },
    { name: 'max_checks_retries', label: 'Retries', hint: 'of a failed run', most: 10 },
  ],
  github: [
    { name: 'max_entries_to_merge', label: 'Largest group', hint: 'maximum pull requests to merge', most: 100 },
    { name: 'max_entries_to_build', label: 'Build concurrency', hint: 'maximum pull requests to build', most: 100 },
    { name: 'min_entries_to_merge', label: 'Smallest group', hint: 'minimum pull requests to merge', most: 100 },
    { name: 'wait_minutes', label: 'Wait for a group, min', hint: 'how many minutes to wait for the smallest group', most: 360 },
  ],
  gitlab: [{ name: 'parallel_pipelines', label: 'Parallel pipelines', hint: 'of the merge train', most: 1000 }],
};
const FACTORS: readonly SettingField[] = [
  { name: 'ci_speed', label: 'Factor for CI time', hint: '0.8: every CI run takes 20% less time', most: 20, isFactor: true },
  { name: 'arrivals', label: 'Factor for pull requests', hint: '1.3: 30% more pull requests enter', most: 5, isFactor: true },
  { name: 'flakes', label: 'Factor for flakes', hint: '0: no CI run fails by chance', most: 20, isFactor: true },
];

export function fieldsOf(kind: Kind): readonly SettingField[] {
  return [...OF_KIND[kind], ...FACTORS];
}

const ALL = [...Object.values(OF_KIND).flat(), ...FACTORS];

/** Tampered values count as absent. */
export function readWanted(query: URLSearchParams): Values {
  const found = ALL.map(({ name, most, isFactor }): [string, number] => {
    const text = query.get(name) ?? '';
    const isNumber = isFactor ? /^\d{1,2}(\.\d{1,4})?$/.test(text) : /^\d{1,6}$/.test(text);
    return [name, isNumber && Number(text) <= most ? Number(text) : NaN];
  });
  return Object.fromEntries(found.filter(([, value]) => !Number.isNaN(value)));
}

export const isOfQueue = (setting: string): boolean => OF_QUEUES.includes(setting);

/** The candidate of a request: with a queue, what queues have of their own is for that queue alone. */
export function candidateOf(wanted: Values, queue: string | null): ForecastRequest['candidate'] {
  if (queue === null) return { settings: wanted };
  const [own, shared] = [true, false].map((isOwn) => Object.fromEntries(Object.entries(wanted).filter(([name]) => isOfQueue(name) === isOwn)));
  return { settings: shared ?? {}, queues: { [queue]: own ?? {} } };
}

/** URL parameters without a candidate, with this one instead. */
export function asParameters(wanted: Readonly<Record<string, unknown>>): Record<string, string | null> {
  return Object.fromEntries(ALL.map(({ name }) => [name, name in wanted ? String(wanted[name]) : null]));
}

/** The factors alone: a map shows the combinations of other settings under them. */
export function factorsOf(wanted: Values): Record<string, [number]> {
  const factors = FACTORS.filter(({ name }) => name in wanted);
  return Object.fromEntries(factors.map(({ name }) => [name, [wanted[name] ?? 1]]));
}

/** The limit on p95 that a capacity is asked for, in minutes. */
export function readLimit(query: URLSearchParams): number | null {
  const text = query.get('capacity') ?? '';
  return /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}
