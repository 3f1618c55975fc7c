// Formats numbers for people.

import { formatDuration } from './duration.ts';

export type Unit = 'seconds' | 'count' | 'rate' | 'ratio';

/** Figures about fewer stays say little. */
export const FEW_STAYS = 20;

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
// Little is not nothing.
const TINY = new Intl.NumberFormat('en', { maximumSignificantDigits: 1 });
// Rates and ratios stand below each other: their points align.
const RATE = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const RATIO = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function formatValue(value: number | null, unit: Unit): string {
  if (value === null || !Number.isFinite(value)) return '–';
  if (unit === 'seconds') return formatDuration(value);
  if (unit === 'rate') return `${RATE.format(value * 100)}%`;
  if (unit === 'ratio') return RATIO.format(value);
  if (Math.abs(value) < 0.05) return TINY.format(Math.abs(value) < 1e-6 ? 0 : value);
  return Math.abs(value) < 10 ? SHORT.format(value) : WHOLE.format(value);
}

/** A round number on an axis: `18h`, `5%`, without what is 0 anyway. */
export function formatAxis(value: number, unit: Unit): string {
  if (unit === 'rate') return `${SHORT.format(value * 100)}%`;
  return unit === 'seconds' ? formatDuration(value).replace(/h00$/, 'h') : formatValue(value, unit === 'ratio' ? 'count' : unit);
}

/** A share in words, to whole percents. */
export function formatShare(share: number): string {
  return `${WHOLE.format(share * 100)}%`;
}

/** `+38%`; the change of a rate is a difference, in points. */
export function formatChange(change: number | null, unit: Unit): string {
  if (change === null || !Number.isFinite(change)) return '';
  const percent = change * 100;
  const digits = Math.abs(percent) < 9.95 && unit === 'rate' ? SHORT : WHOLE;
  const text = digits.format(Math.abs(percent));
  const sign = text === '0' ? '±' : percent < 0 ? '−' : '+';
  const points = text === '1' ? ' point' : ' points';
  return `${sign}${text}${unit === 'rate' ? points : '%'}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${WHOLE.format(count)} ${count === 1 ? one : many}`;
}

export function formatCount(count: number): string {
  return WHOLE.format(count);
}
