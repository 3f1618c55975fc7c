// Whether a change is good or bad, and how it is marked: never by its color alone.

import type { Unit } from './numbers.ts';

export type Better = 'less' | 'more' | 'neither';
export type Verdict = 'better' | 'worse' | 'neither';

/** A smaller change is no news; that of a rate is in points. */
const NOTABLE: Record<'rate' | 'other', number> = { rate: 0.02, other: 0.1 };
/** A smaller change is shown as 0; that of a rate has a decimal. */
const NONE: Record<'rate' | 'other', number> = { rate: 0.0005, other: 0.005 };

export function verdictOf(change: number | null, unit: Unit, better: Better): Verdict {
  const size = change ?? 0;
  if (better === 'neither' || Math.abs(size) < NOTABLE[kindOf(unit)]) return 'neither';
  return size < 0 === (better === 'less') ? 'better' : 'worse';
}

export function arrowOf(change: number | null, unit: Unit): '▲' | '▼' | '' {
  const [size, none] = [change ?? 0, NONE[kindOf(unit)]];
  return size >= none ? '▲' : size <= -none ? '▼' : '';
}

function kindOf(unit: Unit): 'rate' | 'other' {
  return unit === 'rate' ? 'rate' : 'other';
}
