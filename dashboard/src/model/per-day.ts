// How many there were per day.

import type { Figure, Summary } from '../api/types.ts';
import { formatValue } from './numbers.ts';

const DAY = 86_400_000;

/** A number and what it is about: `4.2 / day`; below one per day `1 in 28 days`, because `0 / day` would be wrong. */
export function perDay({ value, count }: Pick<Figure, 'value' | 'count'>, { start, end }: Summary['window']): [number | null, string] {
  if (value === null || value === 0 || value >= 1) return [value, '/ day'];
  const days = formatValue((Date.parse(end) - Date.parse(start)) / DAY, 'count');
  return [count, `in ${days} ${days === '1' ? 'day' : 'days'}`];
}
