// Formats instants for people: relative to now, or exactly, in local time or in UTC.

import { formatDuration } from './duration.ts';
import { plural } from './numbers.ts';

export type Zone = 'local' | 'UTC';

export function ago(instant: string, now: number): string {
  const seconds = (now - Date.parse(instant)) / 1000;
  if (Math.abs(seconds) < 5) return 'now';
  return seconds > 0 ? `${formatDuration(seconds)} ago` : `in ${formatDuration(-seconds)}`;
}

const OPTIONS: Record<'exact' | 'minute' | 'day' | 'time' | 'month', Intl.DateTimeFormatOptions> = {
  month: { month: 'short', year: 'numeric' },
  exact: { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
  minute: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { month: 'short', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
};

/** Creating a formatter takes a hundred times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

export function formatInstant(instant: string | number, zone: Zone, detail: keyof typeof OPTIONS = 'minute'): string {
  let formatter = formatters.get(`${zone} ${detail}`);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-GB', zone === 'UTC' ? { ...OPTIONS[detail], timeZone: 'UTC' } : OPTIONS[detail]);
    formatters.set(`${zone} ${detail}`, formatter);
  }
  return formatter.format(new Date(instant));
}

const MONTH_SECONDS = 28 * 86_400;

/** A label on the time axis: the day, or the time of day if days are wide enough; of months the year, too. */
export function formatTick(at: number, stepSeconds: number, zone: Zone): string {
  if (stepSeconds >= MONTH_SECONDS) return formatInstant(at, zone, 'month');
  if (stepSeconds >= 86_400) return formatInstant(at, zone, 'day');
  const [day, time] = formatInstant(at, zone).split(', ');
  return time === '00:00' ? (day ?? '') : (time ?? '');
}

/** How long the intervals of a chart are: `per 6 hours`, `per day (UTC)`. */
export function intervalNote(spans: readonly { start: string; end: string }[], zone: Zone): string {
  const [span] = spans;
  if (!span) return '';
  const minutes = Math.round((Date.parse(span.end) - Date.parse(span.start)) / 60_000);
  const [count, unit] = minutes >= 1440 ? [minutes / 1440, 'day'] : minutes >= 60 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  const days = unit === 'day' && zone !== 'UTC' ? ' (UTC)' : '';
  return `per ${plural(Math.round(count), unit).replace(/^1 /, '')}${days}`;
}

/** `Nov 8, 12:00–18:00`; for whole days only the dates, which are UTC days. */
export function formatSpan(span: { start: string; end: string }, zone: Zone): string {
  const days = Math.round((Date.parse(span.end) - Date.parse(span.start)) / 86_400_000);
  if (days >= 1) {
    const last = Date.parse(span.end) - 1;
    const first = formatInstant(span.start, 'UTC', 'day');
    return `${days > 1 ? `${first} – ${formatInstant(last, 'UTC', 'day')}` : first}${zone === 'UTC' ? '' : ' (UTC days)'}`;
  }
  return `${formatInstant(span.start, zone)} – ${formatInstant(span.end, zone).split(', ').at(-1)}`;
}

const UTC_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g;
const WEEKDAYS: Record<Zone, Intl.DateTimeFormat> = {
  local: new Intl.DateTimeFormat('en-GB', { weekday: 'long' }),
  UTC: new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' }),
};
const NEAR = 6 * 86_400_000;

/** A sentence of the server with its times in the reader's zone: `13:10` today, `Monday 09:00` within six days. */
export function withTimes(sentence: string, zone: Zone, now: number): string {
  return sentence.replace(UTC_TIME, (instant) => {
    const [today] = formatInstant(now, zone).split(', ');
    const [day, time] = formatInstant(instant, zone).split(', ');
    if (day === today) return time ?? '';
    const isNear = Math.abs(Date.parse(instant) - now) < NEAR;
    return isNear ? `${WEEKDAYS[zone].format(new Date(instant))} ${time}` : `${day}, ${time}`;
  });
}
