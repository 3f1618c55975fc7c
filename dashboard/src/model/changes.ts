// Since when figures have had another level: the marks of a chart.

import type { Change } from '../api/types.ts';
import type { ChangeMark } from './chart.ts';
import { DAY, fixed, instant, type Period, type Span } from './period.ts';

/** 1970-01-05. */
const A_MONDAY = 4;

/** Changes of some figures, those of one day together. */
export function changeMarks(changes: readonly Change[], figures: readonly Change['figure'][]): ChangeMark[] {
  const days = new Map<string, string[]>();
  for (const { figure, began_on, sentence } of changes) {
    if (figures.includes(figure)) days.set(began_on, [...(days.get(began_on) ?? []), sentence]);
  }
  return [...days].map(([day, sentences]) => ({ at: `${day}T00:00:00Z`, sentences }));
}

/** The part of a period that the last look has seen: the answer stays the same until the next one, on a Monday. */
export function lookedAt({ start, end }: Span): Period | null {
  const from = Math.floor(Date.parse(start) / DAY);
  const today = Math.floor(Date.parse(end) / DAY);
  const monday = today - ((((today - A_MONDAY) % 7) + 7) % 7);
  return from < monday ? fixed({ start: instant(from * DAY), end: instant(monday * DAY) }) : null;
}
