// What a period is compared with: the one before, the same days of earlier weeks, or a pinned one.

import { formatSpan, type Zone } from './times.ts';
import { instant, WEEK, type Period, type Span } from './period.ts';

/** `usual`: the adjoining period, or under 7 days the same hours a week earlier, as the server chooses. */
export type Compare = 'usual' | 'before' | 'week' | { pinned: string };

/** A pinned period is a reference period. */
export interface Pinned {
  name: string;
  start_at: string;
  end_at: string;
}

export interface Comparison {
  /** Null leaves the choice to the server. */
  period: Period | null;
  /** Why the period is not compared with the one that was chosen. */
  problem: string | null;
}

const USUAL: Comparison = { period: null, problem: null };

export function comparisonOf(compare: Compare, period: Period, pinned: readonly Pinned[], zone: Zone): Comparison {
  if (compare === 'usual') return USUAL;
  if (typeof compare === 'object') return comparisonWithPinned(compare.pinned, period, pinned, zone);
  const length = Date.parse(period.end) - Date.parse(period.start);
  return { period: { ...earlier(period, compare === 'week' ? weeksOf(period) * WEEK : length), name: compare }, problem: null };
}

function comparisonWithPinned(name: string, period: Period, pinned: readonly Pinned[], zone: Zone): Comparison {
  const found = pinned.find((one) => one.name === name);
  if (!found) return { period: null, problem: `There is no pinned period ${name}, so the figures are compared as usual.` };
  const span = { start: found.start_at, end: found.end_at };
  if (Date.parse(span.start) < Date.parse(period.end) && Date.parse(period.start) < Date.parse(span.end)) {
    return { period: null, problem: `The pinned period ${name} (${formatSpan(span, zone)}) and the one shown overlap, so the figures are compared as usual.` };
  }
  return { period: { ...span, name: `pinned ${name}` }, problem: null };
}

/** How many weeks earlier the same days of the week are that do not overlap a period. */
export function weeksOf({ start, end }: Span): number {
  return Math.max(1, Math.ceil((Date.parse(end) - Date.parse(start)) / WEEK));
}

function earlier({ start, end }: Span, shift: number): Span {
  return { start: instant(Date.parse(start) - shift), end: instant(Date.parse(end) - shift) };
}
