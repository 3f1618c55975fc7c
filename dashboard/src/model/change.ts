// Whether a change is good or bad, and how it is marked: never by its color alone.

import type { Unit } from './numbers.ts';

export type Better = 'less' | 'more' | 'neither';
export type Verdict = 'better' | 'worse' | 'neither';

/** A smaller change is no news; that of a rate is in points. */
const NOTABLE: Record<'rate' | 'other', number> = { rate: 0.02, other: 0.1 };
/** It rounds to 0. */
const NONE = 0.005;

export function verdictOf(change: number | null, unit: Unit, better: Better): Verdict {
  const size = change ?? 0;
  if (better === 'neither' || Math.abs(size) < NOTABLE[unit === 'rate' ? 'rate' : 'other']) return 'neither';
  return size < 0 === (better === 'less') ? 'better' : 'worse';
}

export function arrowOf(change: number | null): '▲' | '▼' | '' {
  const size = change ?? 0;
  return size > NONE ? '▲' : size < -NONE ? '▼' : '';
}
