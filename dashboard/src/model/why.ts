// Why a figure differs: the periods to compare, and a waterfall from before to after.

import type { CauseFound, Explanation, FigureExplained } from '../api/types.ts';
import { formatValue, type Unit } from './numbers.ts';
import { DAY, instant, type Period, type Span } from './period.ts';

const USUAL = 28 * DAY;
/** An explanation needs so much of each period. */
const LEAST = 14 * DAY;
const LONGEST = 184 * DAY;

export interface Compared {
  before: { start_at: string; end_at: string };
  after: { start_at: string; end_at: string };
}

/** Fixed dates and as many days before them; otherwise 28 days, which work best. From a change on, both sides of its day. */
export function comparedPeriods(period: Period, day: string | null): Compared {
  const isFixed = period.name.includes('/');
  // A window that ends now would be replayed again every minute.
  const end = isFixed ? Date.parse(period.end) : Math.floor(Date.parse(period.end) / DAY) * DAY;
  if (day !== null) {
    const at = Date.parse(`${day}T00:00:00Z`);
    return around(at, Math.min(USUAL, Math.max(end - at, DAY)));
  }
  const own = Date.parse(period.end) - Date.parse(period.start);
  const length = isFixed && own >= LEAST ? Math.min(own, LONGEST) : USUAL;
  return around(end - length, length);
}

function around(at: number, length: number): Compared {
  return { before: { start_at: instant(at - length), end_at: instant(at) }, after: { start_at: instant(at), end_at: instant(at + length) } };
}

/** A day in the address; anything else counts as absent. */
export function dayIn(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

export function spanOf({ start_at, end_at }: { start_at: string; end_at: string }): Span {
  return { start: start_at, end: end_at };
}

export interface Bar {
  name: string;
  words: string;
  /** A level, or what is added to it. */
  isLevel: boolean;
  value: number;
  text: string;
  interval: string | null;
  share: number | null;
  /** Of the width, in percent. */
  from: number;
  width: number;
  /** The 90 % interval of where a part ends. */
  low: number | null;
  high: number | null;
}

interface Step {
  name: string;
  words: string;
  value: number;
  low: number | null;
  high: number | null;
  share: number | null;
}

/** From before to after: each bar begins where the one above it ends. */
export function waterfall(before: number, after: number, steps: readonly Step[], unit: Unit): Bar[] {
  let reached = before;
  const ends = steps.map(({ value, low, high }) => {
    const start = reached;
    reached += value;
    return { start, end: reached, low: low === null ? null : start + low, high: high === null ? null : start + high };
  });
  const most = Math.max(before, after, ...ends.flatMap(({ end, high }) => [end, high ?? end]));
  const percent = (value: number) => Math.min(Math.max((value / (most || 1)) * 100, 0), 100);
  const level = (name: string, value: number): Bar => ({ name, words: name, isLevel: true, value, text: formatValue(value, unit), interval: null, share: null, from: 0, width: percent(value), low: null, high: null });
  const parts = steps.map(({ name, words, value, low, high, share }, i): Bar => {
    const { start, end, low: lowest, high: highest } = ends[i]!;
    const from = percent(Math.min(start, end));
    return {
      name,
      words,
      isLevel: false,
      value,
      text: formatAdded(value, unit),
      interval: low === null || high === null ? null : `${formatAdded(low, unit)} to ${formatAdded(high, unit)}`,
      share,
      from,
      width: percent(Math.max(start, end)) - from,
      low: lowest === null ? null : percent(lowest),
      high: highest === null ? null : percent(highest),
    };
  });
  return [level('before', before), ...parts, level('after', after)];
}

/** `+29m`, `−0.12`. */
export function formatAdded(value: number, unit: Unit): string {
  const text = formatValue(Math.abs(value), unit);
  return `${/[1-9]/.test(text) ? (value < 0 ? '−' : '+') : '±'}${text}`;
}

/** The bars of a figure; null if it is not divided. */
export function barsOf({ before, after, parts }: FigureExplained, unit: Unit): Bar[] | null {
  if (before === null || after === null || parts.length === 0) return null;
  return waterfall(before, after, parts.map((one) => ({ name: one.part, words: one.words, value: one.value ?? 0, low: one.low, high: one.high, share: one.share })), unit);
}

/** The mean, which is divided by definition. */
export function barsOfMean({ before, after, parts }: Explanation['mean']): Bar[] | null {
  if (before === null || after === null) return null;
  const steps = parts.map(({ wait, words, difference }) => ({ name: wait, words, value: difference ?? 0, low: null, high: null, share: null }));
  return waterfall(before, after, steps.filter(({ value }) => Math.abs(value) >= 1), 'seconds');
}

/** The figure to show first: the one that was asked for, or the one that the sentence is about. */
export function firstFigure({ figures, sentence }: Explanation, wanted: string | null = null): FigureExplained | undefined {
  return figures.find((one) => one.figure === wanted) ?? figures.find((one) => one.sentence === sentence) ?? figures[0];
}

/** As in `build +9m`: the CI check that takes most of what runs take longer. */
export function slowestCheck({ stands_out }: CauseFound): { name: string; added: string } | null {
  const check = stands_out.find(({ dimension }) => dimension === 'check');
  if (!check || check.before === null || check.after === null) return null;
  return { name: check.name, added: formatAdded(check.after - check.before, 'seconds') };
}
