// Since when figures have had another level: the marks of a chart.

import type { Change, Changes } from '../api/types.ts';
import type { ChangeMark } from './chart.ts';
import { DAY, fixed, instant, type Period, type Span } from './period.ts';

/** 1970-01-05. */
const A_MONDAY = 4;

/** Changes of some figures, those of one day together. */
export function changeMarks(changes: readonly Change[], figures: readonly Change['figure'][]): ChangeMark[] {
  const days = new Map<string, Change[]>();
  for (const change of changes) {
    if (figures.includes(change.figure)) days.set(change.began_on, [...(days.get(change.began_on) ?? []), change]);
  }
  return [...days].map(([day, own]) => ({ at: `${day}T00:00:00Z`, figures: own.map(({ figure }) => figure), sentences: own.map(({ sentence }) => sentence) }));
}

/** What changed on a day, or may have. */
export function changesOn(changes: readonly Change[], day: string): Change[] {
  return changes.filter(({ began_on, earliest, latest }) => began_on === day || (earliest <= day && day <= latest));
}

/** The figures that were looked at and have no change that day. */
export function unchangedOn({ changes, figures }: Pick<Changes, 'changes' | 'figures'>, day: string): Change['figure'][] {
  const changed = changesOn(changes, day).map(({ figure }) => figure);
  return figures.filter(({ figure, days, missing_days }) => days > 0 && missing_days === 0 && !changed.includes(figure)).map(({ figure }) => figure);
}

/** The part of a period that the last look has seen: the answer stays the same until the next one, on a Monday. */
export function lookedAt({ start, end }: Span): Period | null {
  const from = Math.floor(Date.parse(start) / DAY);
  const today = Math.floor(Date.parse(end) / DAY);
  const monday = today - ((((today - A_MONDAY) % 7) + 7) % 7);
  return from < monday ? fixed({ start: instant(from * DAY), end: instant(monday * DAY) }) : null;
}
