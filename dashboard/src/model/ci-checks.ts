// The table of CI checks: its columns, their order, and what each bar shows.

import type { Answers } from '../api/api-types.ts';
import type { Chart } from './chart.ts';
import { badTone, FEW } from './few.ts';
import { formatShare, formatValue, plural, type Unit } from './numbers.ts';
import { inThese } from './per-day.ts';

export type CiChecks = Answers['GET /v1/repos/{owner}/{repository}/ci-checks'];
export type CiCheck = CiChecks['checks'][number];
type Figures = Omit<CiCheck, 'name' | 'by_runner'>;

export interface Column {
  /** In the URL. */
  key: string;
  label: string;
  hint: string;
  unit: Unit;
  value: (figures: Figures) => number | null;
  /** The ends of its interval, if it is an estimate. */
  ends?: (figures: Figures) => { low: number; high: number } | null;
}

export const COLUMNS: readonly Column[] = [
  { key: 'runs', label: 'runs', hint: 'Executions that passed, failed or timed out', unit: 'count', value: (one) => one.runs },
  { key: 'failures', label: 'failed', hint: 'Share of runs that failed or timed out', unit: 'rate', value: (one) => one.failure_rate },
  { key: 'removals', label: 'removed', hint: 'Pull requests that left the queue because this check failed first', unit: 'count', value: (one) => one.removals },
  { key: 'held-up', label: 'held up others', hint: 'Time that other pull requests lost through these failures', unit: 'seconds', value: (one) => one.blocked_seconds },
  { key: 'flaky', label: 'flaky', hint: 'Share of runs that failed by chance, estimated, with its 90 % interval', unit: 'rate', value: (one) => one.flake_rate, ends: (one) => one.flake_interval },
  { key: 'p50', label: 'p50', hint: 'Median running time', unit: 'seconds', value: (one) => one.seconds.p50 },
  { key: 'p95', label: 'p95', hint: 'Running time that one of 20 runs exceeds', unit: 'seconds', value: (one) => one.seconds.p95 },
  { key: 'waited', label: 'waited, p95', hint: 'Waiting for a machine; one of 20 runs waits longer', unit: 'seconds', value: (one) => one.waited_seconds.p95 },
  { key: 'critical', label: 'ended last', hint: 'Share of passed CI runs that ended with this check', unit: 'rate', value: (one) => one.critical.share },
];

/** `4.4%`; an estimate without a value cannot be told. */
export function valueText(column: Column, figures: Figures): string {
  const value = column.value(figures);
  return value === null && column.ends?.(figures) ? 'cannot tell' : formatValue(value, column.unit);
}

/** `3.5% to 5.3%`, or nothing. */
export function intervalText(column: Column, figures: Figures): string {
  const ends = column.ends?.(figures);
  return ends ? `${formatValue(ends.low, column.unit)} to ${formatValue(ends.high, column.unit)}` : '';
}

/** The checks in the order of a column, the largest first; in the API's order, the most expensive first, without one. */
export function sorted(checks: readonly CiCheck[], key: string | null): readonly CiCheck[] {
  const column = COLUMNS.find((one) => one.key === key);
  if (!column) return checks;
  return checks.toSorted((a, b) => (column.value(b) ?? -1) - (column.value(a) ?? -1));
}

/** A full bar of a rate is at least this: 0.6 % must not look like the worst that can be. */
const LEAST_FULL: Partial<Record<Unit, number>> = { rate: 0.1 };

/** What a full bar of each column stands for: its largest value, or more. */
export function largest(checks: readonly CiCheck[]): ReadonlyMap<string, number> {
  return new Map(COLUMNS.map(({ key, unit, value }) => [key, Math.max(LEAST_FULL[unit] ?? 0, ...checks.map((one) => value(one) ?? 0))]));
}

/** Fewer failures than this may be chance. */
const SOME_FAILURES = 3;

/** Waiting for a machine is worth a sentence from here on, if it happens in one of 20 runs. */
const LONG_WAIT = 5 * 60;

/** What to do about the checks: the one that cost most, and the one that waits longest for a machine. Without either, that there is nothing to do. */
export function actsOf({ checks, window }: Pick<CiChecks, 'checks' | 'window'>): { check: string | null; sentence: string }[] {
  const within = inThese(window);
  const known = checks.filter((one) => one.runs >= FEW);
  const [worst] = known.filter((one) => one.failed >= SOME_FAILURES && (one.removals > 0 || (one.blocked_seconds ?? 0) > 0)).toSorted((a, b) => (b.blocked_seconds ?? 0) - (a.blocked_seconds ?? 0) || b.removals - a.removals);
  const [slowest] = known.filter((one) => (one.waited_seconds.p95 ?? 0) >= LONG_WAIT).toSorted((a, b) => (b.waited_seconds.p95 ?? 0) - (a.waited_seconds.p95 ?? 0));
  const acts = [
    ...(worst ? [{ check: worst.name, sentence: `Fix \`${worst.name}\` first: ${harmOf(worst)} ${within}.` }] : []),
    ...(slowest ? [{ check: slowest.name, sentence: `One in 20 runs of \`${slowest.name}\` waited ${formatValue(slowest.waited_seconds.p95, 'seconds')} or longer for a machine ${within}.` }] : []),
  ];
  return acts.length > 0 ? acts : [{ check: null, sentence: calm(checks, within) }];
}

function calm(checks: readonly CiCheck[], within: string): string {
  const removed = checks.reduce((sum, one) => sum + one.removals, 0);
  return removed === 0 ? `No check removed a pull request ${within}.` : `Checks removed ${plural(removed, 'pull request')} ${within}, and none of them stands out.`;
}

function harmOf({ removals, blocked_seconds }: CiCheck): string {
  const removed = removals > 0 ? [`removed ${plural(removals, 'pull request')}`] : [];
  const held = blocked_seconds ? [`held up others for ${formatValue(blocked_seconds, 'seconds')}`] : [];
  return `it ${[...removed, ...held].join(' and ')}`;
}

/** How often it fails by chance, beside its name elsewhere. */
export function flakeRateText({ flake_rate, flake_interval }: Pick<CiCheck, 'flake_rate' | 'flake_interval'>): string {
  if (flake_rate === null || flake_interval === null) return 'cannot tell how often it fails by chance';
  return `fails by chance in ${formatShare(flake_rate)} of its runs (${formatShare(flake_interval.low)} to ${formatShare(flake_interval.high)})`;
}

type Series = NonNullable<CiChecks['series']>;

export function failuresOverTime({ series = [], window }: CiChecks, [check]: readonly CiCheck[]): Chart {
  return {
    window,
    spans: series,
    unit: 'rate',
    series: [
      { label: 'failed', values: series.map((one) => one.failure_rate), mark: 'line', tone: badTone(true, check?.runs ?? 0, 'accent'), whole: check?.failure_rate ?? null },
      { label: 'flaky', values: series.map((one) => one.flake_rate), mark: 'line', tone: 'grey', whole: check?.flake_rate ?? null },
    ],
    counts: { label: 'runs', values: series.map((one) => one.runs) },
  };
}

export function timesOverTime({ series = [], window }: CiChecks, [check]: readonly CiCheck[]): Chart {
  const values = (read: (one: Series[number]) => number | null) => series.map(read);
  return {
    window,
    spans: series,
    unit: 'seconds',
    series: [
      { label: 'p50', values: values((one) => one.seconds.p50), mark: 'line', tone: 'accent', whole: check?.seconds.p50 ?? null },
      { label: 'p95', values: values((one) => one.seconds.p95), mark: 'line', tone: 'accent-2', whole: check?.seconds.p95 ?? null },
      { label: 'waited, p95', values: values((one) => one.waited_seconds.p95), mark: 'line', tone: 'grey', whole: check?.waited_seconds.p95 ?? null },
    ],
  };
}
