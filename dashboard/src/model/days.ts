// Days and times as people write them in a form, in local time or in UTC, and the period that they mean.

import { instant, parseInstant, type Span } from './period.ts';
import { formatInstant, type Zone } from './times.ts';

/** Without a time, the first day begins and the last one ends at midnight. */
export interface Days {
  firstDay: string;
  firstTime: string;
  lastDay: string;
  lastTime: string;
}

const DAY = /^(\d{4,6})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2})$/;

/** An end that cannot be read becomes an empty text, which no period has. */
export function spanOf({ firstDay, firstTime, lastDay, lastTime }: Days, zone: Zone): Span {
  const start = instantAt(firstDay, firstTime, zone);
  const end = lastTime ? instantAt(lastDay, lastTime, zone) : instantAt(lastDay, '', zone, 1);
  return { start: written(start), end: written(end) };
}

export function daysOf({ start, end }: Span, zone: Zone): Days {
  const [from, to] = [parseInstant(start), parseInstant(end)];
  if (Number.isNaN(from) || Number.isNaN(to)) return { firstDay: '', firstTime: '', lastDay: '', lastTime: '' };
  const isWholeDay = isMidnight(to, zone);
  return {
    firstDay: dayOf(from, zone),
    firstTime: isMidnight(from, zone) ? '' : timeOf(from, zone),
    lastDay: dayOf(isWholeDay ? to - 1 : to, zone),
    lastTime: isWholeDay ? '' : timeOf(to, zone),
  };
}

/** `12 Nov`, `12 Nov – 14 Nov`, `12 Nov, 08:00 – 12:00`; with years if one is not this year. */
export function formatPeriod(span: Span, zone: Zone, now: number): string {
  const { firstDay, firstTime, lastDay, lastTime } = daysOf(span, zone);
  const isThisYear = firstDay.slice(0, 4) === dayOf(now, zone).slice(0, 4);
  const day = (text: string) => `${formatInstant(`${text}T00:00:00Z`, 'UTC', 'day')}${isThisYear ? '' : ` ${text.slice(0, 4)}`}`;
  const hasTimes = Boolean(firstTime || lastTime);
  const first = hasTimes ? `${day(firstDay)}, ${firstTime || '00:00'}` : day(firstDay);
  if (!hasTimes) return firstDay === lastDay ? first : `${first} – ${day(lastDay)}`;
  const last = lastTime || '24:00';
  return firstDay === lastDay ? `${first} – ${last}` : `${first} – ${day(lastDay)}, ${last}`;
}

/** NaN if a text is no day or no time; a local time that a clock change skips is the one after it. */
function instantAt(day: string, time: string, zone: Zone, daysLater = 0): number {
  const [, year, month, date] = (DAY.exec(day) ?? []).map(Number);
  const [, hour, minute] = (TIME.exec(time || '00:00') ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined || hour === undefined || minute === undefined) return NaN;
  const later = date + daysLater;
  return zone === 'UTC' ? Date.UTC(year, month - 1, later, hour, minute) : new Date(year, month - 1, later, hour, minute).getTime();
}

function written(at: number): string {
  return Number.isNaN(at) || Math.abs(at) > 8.64e15 ? '' : instant(at);
}

function isMidnight(at: number, zone: Zone): boolean {
  return instantAt(dayOf(at, zone), '', zone) === at;
}

function dayOf(at: number, zone: Zone): string {
  const date = new Date(at);
  if (zone === 'UTC') return date.toISOString().slice(0, 10);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function timeOf(at: number, zone: Zone): string {
  const date = new Date(at);
  return zone === 'UTC' ? date.toISOString().slice(11, 16) : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
