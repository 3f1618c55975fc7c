// What a chart shows: intervals and series, as plain data for a canvas, a table and a CSV file.

import type { Cell } from './csv.ts';
import type { Unit } from './numbers.ts';

export interface Span {
  start: string;
  end: string;
}

/** How a series is drawn: lines and steps show a value, bars stand side by side, stacks on each other. */
export type Mark = 'line' | 'dashed' | 'bar' | 'stack' | 'step' | 'low' | 'high';
/** The name of a color in the design tokens, `--tone-…`. */
export type Tone = 'accent' | 'accent-2' | 'grey' | 'grey-2' | 'bad';

export interface Series {
  label: string;
  values: readonly (number | null)[];
  mark: Mark;
  tone: Tone;
  /** The value of the whole window, for the legend. */
  whole?: number | null;
}

export interface Chart {
  spans: readonly Span[];
  series: readonly Series[];
  unit: Unit;
  /** When something was wrong with a queue; marked above the values. */
  troubles?: readonly Span[];
  /** How many things each interval is about; shown beside the values, not drawn. */
  counts?: { label: string; values: readonly (number | null)[] };
}

/** A value this many times higher than nine of ten intervals would make them all invisible. */
const OUTLIER = 3;
/** The axis has height even if all values are 0. */
const LEAST_TOP: Record<Unit, number> = { seconds: 60, count: 1, rate: 0.05, ratio: 1 };

/** Where the vertical axis ends: at the largest value, or lower if few intervals are much higher than the others. */
export function axisTop(chart: Chart): number {
  const tops = intervalTops(chart).filter((top) => top > 0).sort((a, b) => a - b);
  const most = tops.at(-1) ?? 0;
  const usual = tops[Math.floor((tops.length - 1) * 0.9)] ?? 0;
  return Math.max(tops.length >= 10 && most > OUTLIER * usual ? OUTLIER * usual : most, LEAST_TOP[chart.unit]);
}

/** The largest value; stacked series count together. */
export function highest(chart: Chart): number {
  return Math.max(0, ...intervalTops(chart));
}

function intervalTops(chart: Chart): number[] {
  return chart.spans.map((_, i) => {
    const values = chart.series.map((one): [boolean, number] => [one.mark === 'stack', one.values[i] ?? 0]);
    const stacked = values.reduce((sum, [isStacked, value]) => sum + (isStacked ? value : 0), 0);
    return Math.max(stacked, ...values.map(([isStacked, value]) => (isStacked ? 0 : value)));
  });
}

/** Nothing to draw: no value, or nothing to count. A rate of 0 is a result. */
export function isBlank({ series, unit }: Chart): boolean {
  return series.every((one) => one.values.every((value) => value === null || (value === 0 && unit === 'count')));
}

export function tableOf(chart: Chart): { columns: string[]; rows: Cell[][] } {
  const columns = chart.counts ? [...chart.series, chart.counts] : chart.series;
  const rows = chart.spans.map((span, i) => [span.start, span.end, ...columns.map((one) => one.values[i] ?? null)]);
  return { columns: ['start', 'end', ...columns.map((one) => one.label)], rows };
}

/** The sum of a value over all groups, for each interval; null where no group has it. */
export function summed<Entry extends Span>(
  groups: readonly { stats: readonly Entry[] }[],
  spans: readonly Span[],
  value: (entry: Entry) => number,
): (number | null)[] {
  const sums = new Map<string, number>();
  for (const { stats } of groups) {
    for (const entry of stats) sums.set(entry.start, (sums.get(entry.start) ?? 0) + value(entry));
  }
  return spans.map((span) => sums.get(span.start) ?? null);
}

/** Every interval of the groups once, in order. */
export function spansOf(groups: readonly { stats: readonly Span[] }[]): Span[] {
  const ends = new Map(groups.flatMap(({ stats }) => stats.map((entry): [string, string] => [entry.start, entry.end])));
  return [...ends].map(([start, end]) => ({ start, end })).sort((a, b) => (a.start < b.start ? -1 : 1));
}

/** Counts by a code over all groups and intervals, the largest first. */
export function ranked<Entry extends { count: number }>(
  groups: readonly { stats: readonly Entry[] }[],
  code: (entry: Entry) => string,
): [string, number][] {
  const counts = new Map<string, number>();
  for (const { stats } of groups) {
    for (const entry of stats) counts.set(code(entry), (counts.get(code(entry)) ?? 0) + entry.count);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
