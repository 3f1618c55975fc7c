// The intervals of an earlier period beside those of a later one.

import type { Interval, Summary } from '../api/types.ts';

type Series = Pick<Summary, 'window' | 'series'>;

/** A value of the earlier intervals for each of the later ones. Periods of different lengths have no such pairs. */
export function aligned(summary: Series, before: Series, value: (interval: Interval) => number | null): (number | null)[] {
  const spans = summary.series ?? [];
  const [start, startBefore] = [Date.parse(summary.window.start), Date.parse(before.window.start)];
  const length = (one: Series) => Date.parse(one.window.end) - Date.parse(one.window.start);
  const [first] = spans;
  if (!first || length(summary) !== length(before)) return [];
  const width = Date.parse(first.end) - Date.parse(first.start);
  // Grids of two periods may differ by a part of an interval; the nearest one is meant.
  const place = (interval: Interval, shift: number) => Math.round((Date.parse(interval.start) + shift - Date.parse(first.start)) / width);
  const values = new Map((before.series ?? []).map((one) => [place(one, start - startBefore), value(one)]));
  return spans.map((one) => values.get(place(one, 0)) ?? null);
}
