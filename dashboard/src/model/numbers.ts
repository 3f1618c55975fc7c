// Formats numbers for people.

import { formatDuration } from './duration.ts';

export type Unit = 'seconds' | 'count' | 'rate' | 'ratio';

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
// Little is not nothing.
const TINY = new Intl.NumberFormat('en', { maximumSignificantDigits: 1 });
// Rates and ratios stand below each other: their points align.
const RATE = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const RATIO = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const FORMATS: Record<Unit, (value: number) => string> = {
  seconds: formatDuration,
  count: formatCount,
  rate: (value) => `${RATE.format(value * 100)}%`,
  ratio: (value) => RATIO.format(value),
};

export function formatValue(value: number | null, unit: Unit): string {
  return value === null || !Number.isFinite(value) ? '–' : FORMATS[unit](value);
}

/** Small counts, which may be means, have a decimal if they need it. */
export function formatCount(count: number): string {
  if (Math.abs(count) < 0.05) return TINY.format(Math.abs(count) < 1e-6 ? 0 : count);
  return Math.abs(count) < 10 ? SHORT.format(count) : WHOLE.format(count);
}

/** A round number on an axis: `18h`, `5%`, without what is 0 anyway. */
export function formatAxis(value: number, unit: Unit): string {
  if (unit === 'rate') return `${SHORT.format(value * 100)}%`;
  return unit === 'seconds' ? formatDuration(value).replace(/h00m$/, 'h') : formatValue(value, unit === 'ratio' ? 'count' : unit);
}

/** A share in words, to whole percents. */
export function formatShare(share: number): string {
  return `${WHOLE.format(share * 100)}%`;
}

/** A chance, no more exact than it is: `about 55 %`. */
export function formatChance(chance: number): string {
  const rounded = Math.round(chance * 20) * 5;
  if (rounded > 0 && rounded < 100) return `about ${rounded} %`;
  return rounded > 0 ? 'above 95 %' : 'below 5 %';
}

/** `+38%`; the change of a rate is a difference, in points. */
export function formatChange(change: number | null, unit: Unit): string {
  if (change === null || !Number.isFinite(change)) return '';
  const percent = change * 100;
  const digits = Math.abs(percent) < 9.95 && unit === 'rate' ? SHORT : WHOLE;
  const text = digits.format(Math.abs(percent));
  const sign = text === '0' ? '±' : percent < 0 ? '−' : '+';
  return `${sign}${unit === 'rate' ? agreeing(text, 'point') : `${text}%`}`;
}

/** A count with its noun: `1 stay`, `8.5 hours`. */
export function plural(count: number, one: string, many?: string): string {
  return agreeing(formatCount(count), one, many);
}

function agreeing(number: string, one: string, many = `${one}s`): string {
  return `${number} ${number === '1' ? one : many}`;
}
