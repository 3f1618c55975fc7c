// How a change is marked: never by its color alone.

import type { Unit } from './numbers.ts';

/** A smaller change is shown as 0; that of a rate has a decimal. */
const NONE: Record<'rate' | 'other', number> = { rate: 0.0005, other: 0.005 };

export function arrowOf(change: number | null, unit: Unit): '▲' | '▼' | '' {
  const [size, none] = [change ?? 0, NONE[unit === 'rate' ? 'rate' : 'other']];
  return size >= none ? '▲' : size <= -none ? '▼' : '';
}
