// Which period a page shows: a window that ends now, or two instants. Wrong ones get a sentence, and no request.

export const WINDOWS = ['24h', '7d', '28d', '90d', 'year', 'all'] as const;
export type WindowName = (typeof WINDOWS)[number];
export const WINDOW_LABELS: Record<WindowName, string> = { '24h': '24h', '7d': '7d', '28d': '28d', '90d': '90d', year: 'This year', all: 'All' };

export interface Span {
  start: string;
  end: string;
}

export interface Period extends Span {
  /** The same for the same window at any time: `7d` ends now, so its ends move while its name stays. */
  name: string;
}

export const MINUTE = 60_000;
export const DAY = 86_400_000;
export const WEEK = 7 * DAY;
/** A day of a change to winter time has 25 hours; today ends at most so much later than now. */
const REST_OF_TODAY = 25 * 3_600_000;
const LENGTHS = { '24h': DAY, '7d': WEEK, '28d': 28 * DAY, '90d': 90 * DAY };
const WRITTEN = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** An instant as addresses have it: a UTC day, or a date and time with its offset. NaN if it is anything else. */
export function parseInstant(text: string): number {
  const day = WRITTEN.exec(text)?.[1];
  if (day === undefined || new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) return NaN;
  return Date.parse(text);
}

export function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/** A period whose ends never move. */
export function fixed({ start, end }: Span): Period {
  return { start, end, name: `${start}/${end}` };
}

/** What is wrong with a period, in a sentence; null if nothing is. */
export function problemOf({ start, end }: Span, now: number): string | null {
  const [from, to] = [parseInstant(start), parseInstant(end)];
  if (Number.isNaN(from) || Number.isNaN(to)) return 'These dates cannot be read. A day is written like 2026-11-12, an instant like 2026-11-12T08:30:00Z.';
  if (from >= to) return 'The period ends before it begins: choose an end after its beginning.';
  if (from > now) return 'The period begins in the future: choose days up to today.';
  if (to > now + REST_OF_TODAY) return 'The period ends in the future: choose a last day up to today.';
  if (from < 0) return 'The period begins before 1970, and nothing is recorded from then: choose a later first day.';
  return null;
}

/** Where a window lies now. It ends at a full minute, so that repeated requests within it cost the server nothing. */
export function lastPeriod(window: WindowName, now: number, firstEvent: string | null): Period {
  const end = Math.ceil(now / MINUTE) * MINUTE;
  return { start: instant(startOf(window, end, firstEvent)), end: instant(end), name: window };
}

function startOf(window: WindowName, end: number, firstEvent: string | null): number {
  if (window === 'year') return Date.UTC(new Date(end - 1).getUTCFullYear(), 0, 1);
  if (window !== 'all') return end - LENGTHS[window];
  // Whole days, as on the axis; a day at least, because an empty history has no length.
  const first = firstEvent === null ? end : Date.parse(firstEvent);
  return Math.min(Math.floor(first / DAY) * DAY, end - DAY);
}

/** A period that is over, as a reference period must be: it ends with the minute that has begun, and a window keeps its exact length. */
export function overBy(period: Period, now: number): Span {
  const begun = Math.floor(now / MINUTE) * MINUTE;
  const length = Object.entries(LENGTHS).find(([name]) => name === period.name)?.[1];
  if (length !== undefined) return { start: instant(begun - length), end: instant(begun) };
  return { start: period.start, end: instant(Math.min(begun, Date.parse(period.end))) };
}

/** A fixed period as far as it has passed: days until today end now. */
export function untilNow(period: Period, now: number): Period {
  const end = Math.ceil(now / MINUTE) * MINUTE;
  return Date.parse(period.end) > end ? { ...period, end: instant(end) } : period;
}
