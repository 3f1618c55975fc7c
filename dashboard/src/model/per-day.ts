// How many there were per day.

import type { Figure, Summary } from '../api/types.ts';
import { plural } from './numbers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** `in these 7 days`; hours below two days. */
export function inThese({ start, end }: Summary['window']): string {
  const length = Date.parse(end) - Date.parse(start);
  const [count, unit] = length < 2 * DAY ? [Math.round(length / HOUR), 'hour'] : [Math.round(length / DAY), 'day'];
  return count === 1 ? `in this ${unit}` : `in these ${plural(count, unit)}`;
}

/** A number and what it is about: `4.2 / day`. Below one per day `1 in 28 days`, because `0 / day` would be wrong; below two days `8 in 8.5 hours`. */
export function perDay({ value, count }: Pick<Figure, 'value' | 'count'>, { start, end }: Summary['window']): [number | null, string] {
  const length = Date.parse(end) - Date.parse(start);
  const isRate = value === null || (length >= 2 * DAY && (value === 0 || value >= 1));
  return isRate ? [value, '/ day'] : [count, `in ${length < DAY ? plural(length / HOUR, 'hour') : plural(length / DAY, 'day')}`];
}
