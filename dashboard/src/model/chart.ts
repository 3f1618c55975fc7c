// What a chart shows: intervals and series, as plain data for a canvas, a table and a CSV file.

import { columnName, type Table } from './csv.ts';
import type { Unit } from './numbers.ts';
import { instant, type Span } from './period.ts';

export type { Span } from './period.ts';

/** How a series is drawn: lines and steps show a value, bars stand side by side, stacks on each other. */
export type Mark = 'line' | 'dashed' | 'bar' | 'stack' | 'step' | 'low' | 'high';
/** The name of a color in the design tokens, `--tone-…`. */
export type Tone = 'accent' | 'accent-2' | 'grey' | 'grey-2' | 'freeze' | 'bad';

export interface Series {
  label: string;
  values: readonly (number | null)[];
  mark: Mark;
  tone: Tone;
  /** The value of the whole window, for the legend. */
  whole?: number | null;
}

/** A level to compare values with, such as that of a pinned period: two dashed lines, or one if they are the same. */
export interface Band {
  label: string;
  low: number;
  high: number;
}

/** A value that the figure should not exceed; null if the figure has no value. */
export interface Threshold {
  threshold: number;
  is_exceeded: boolean | null;
}

/** A day on which figures of the chart got another level, and what is said about it. */
export interface ChangeMark {
  at: string;
  /** The figures that changed, and what is said about each. */
  figures: readonly string[];
  sentences: readonly string[];
}

export interface Chart {
  /** Intervals in which nothing happened may be missing. */
  spans: readonly Span[];
  series: readonly Series[];
  unit: Unit;
  /** When something was wrong with a queue; marked above the values. */
  troubles?: readonly Span[];
  /** Marked with thin lines. */
  changes?: readonly ChangeMark[];
  /** What the horizontal axis covers, if it is more than the intervals. */
  window?: Span;
  /** The interval whose pull requests are listed. */
  picked?: Span | null;
  band?: Band | null;
  /** The threshold that was set for these values, drawn as a line, and whether the whole window exceeds it. */
  threshold?: Threshold | null;
  /** How many things each interval is about; shown beside the values, not drawn. */
  counts?: { label: string; values: readonly (number | null)[] };
}

/** An axis is cut only if nine of ten intervals would stay below a tenth of it otherwise. */
const TOWERING = 10;
/** A cut axis ends at this many times what nine of ten intervals stay below. */
const KEPT = 3;
/** A band or a threshold is drawn if the axis need not grow more than this for it. */
const MOST_FOR_BAND = 2;
/** The axis has height even if all values are 0. */
const LEAST_TOP: Record<Unit, number> = { seconds: 60, count: 1, rate: 0.05, ratio: 1 };

/** Where the vertical axis ends: at the largest value, or lower if few intervals tower over all others. */
export function axisTop(chart: Chart): number {
  const tops = intervalTops(chart).filter((top) => top > 0).sort((a, b) => a - b);
  const most = tops.at(-1) ?? 0;
  const usual = tops[Math.floor((tops.length - 1) * 0.9)] ?? 0;
  const top = Math.max(tops.length >= 10 && most > TOWERING * usual ? KEPT * usual : most, LEAST_TOP[chart.unit]);
  const levels = [chart.band?.high ?? 0, chart.threshold?.threshold ?? 0];
  return Math.max(top, ...levels.filter((level) => level <= MOST_FOR_BAND * top));
}

/** Which intervals reach beyond the axis. */
export function cutIntervals(chart: Chart): number[] {
  const top = axisTop(chart);
  return intervalTops(chart).flatMap((one, i) => (one > top ? [i] : []));
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

/** Most intervals that a chart is filled up to; an answer has about a hundred, or one per four weeks. */
const MOST_FILLED = 2_000;

/** The same chart with every interval of its window, for drawing: a line must not bridge those in which nothing happened. */
export function filled(chart: Chart): Chart {
  const spans = allSpans(chart);
  const places = new Map(chart.spans.map((span, i) => [span.start, i]));
  const at = (values: readonly (number | null)[], missing: number | null) =>
    spans.map(({ start }) => (places.has(start) ? (values[places.get(start)!] ?? null) : missing));
  return {
    ...chart,
    spans,
    series: chart.series.map((one) => ({ ...one, values: at(one.values, one.mark === 'bar' ? 0 : null) })),
    ...(chart.counts ? { counts: { ...chart.counts, values: at(chart.counts.values, 0) } } : {}),
  };
}

/** The intervals that cover the window, in line with the given ones. */
function allSpans({ spans, window = { start: spans[0]?.start ?? '', end: spans.at(-1)?.end ?? '' } }: Chart): readonly Span[] {
  const [first] = spans;
  if (!first) return spans;
  const origin = Date.parse(first.start);
  const width = Date.parse(first.end) - origin;
  const from = Math.min(0, Math.floor((Date.parse(window.start) - origin) / width));
  const to = Math.ceil((Math.max(Date.parse(window.end), Date.parse(spans.at(-1)!.end)) - origin) / width);
  if (!(to - from <= MOST_FILLED)) return spans;
  return Array.from({ length: to - from }, (_, i) => {
    const start = origin + (from + i) * width;
    return { start: instant(start), end: instant(start + width) };
  });
}

/** What a span that was drawn with a mouse means: every interval that it touches, within the window. */
export function touched({ spans, window }: Chart, from: number, to: number): Span | null {
  const hit = spans.filter((span) => Date.parse(span.end) > from && Date.parse(span.start) < to);
  const [first, last] = [hit[0], hit.at(-1)];
  if (!first || !last) return null;
  const start = Math.max(Date.parse(first.start), Date.parse(window?.start ?? first.start));
  const end = Math.min(Date.parse(last.end), Date.parse(window?.end ?? last.end));
  return start < end ? { start: instant(start), end: instant(end) } : null;
}

/** The interval with an instant in it. */
export function spanAt(spans: readonly Span[], at: string | null): Span | null {
  const time = Date.parse(at ?? '');
  return spans.find((span) => Date.parse(span.start) <= time && time < Date.parse(span.end)) ?? null;
}

/** Nothing to draw: no value, or nothing to count. A rate of 0 is a result. */
export function isBlank({ series, unit }: Chart): boolean {
  return series.every((one) => one.values.every((value) => value === null || (value === 0 && unit === 'count')));
}

/** The numbers of a chart as a table for a file: units are in the names of its columns. */
export function tableOf(chart: Chart): Table {
  const series = chart.series.map((one) => ({ name: columnName(one.label, chart.unit), values: one.values }));
  const columns = chart.counts ? [...series, { name: columnName(chart.counts.label, 'count'), values: chart.counts.values }] : series;
  const rows = chart.spans.map((span, i) => [span.start, span.end, ...columns.map((one) => one.values[i] ?? null)]);
  return { columns: ['interval_start', 'interval_end', ...columns.map((one) => one.name)], rows };
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
