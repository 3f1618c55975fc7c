// What something is about, in one line: repository, period with time zone, filters.

import { shown } from './shown.ts';
import type { Zone } from './times.ts';

export interface Subject {
  repository: string | null;
  period: { start: string; end: string } | null;
  filters: Readonly<Record<string, string | null>>;
}

export function describe({ repository, period, filters }: Subject, zone: Zone): string {
  const parts = [
    repository ?? '',
    period ? `${dateTime(period.start, zone)} to ${dateTime(period.end, zone)} ${zoneName(zone)}` : '',
    ...Object.entries(filters).map(([what, name]) => (name === null ? '' : `${what} ${isolated(name)}`)),
  ];
  return parts.filter(Boolean).join(' · ');
}

export function zoneName(zone: Zone): string {
  return zone === 'UTC' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `2026-03-02 10:00` */
export function dateTime(instant: string | number, zone: Zone): string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'short', timeStyle: 'short' };
  return new Intl.DateTimeFormat('sv-SE', zone === 'UTC' ? { ...options, timeZone: 'UTC' } : options).format(new Date(instant));
}

/** A name from right to left does not reverse the text around it. */
export function isolated(name: string): string {
  return `\u2068${shown(name)}\u2069`;
}

/** The name of a file about this: `acme-widgets-time-in-queue-2026-03-02-2026-03-09.csv`. */
export function fileName({ repository, period }: Subject, title: string, ending: string): string {
  const days = period ? [period.start.slice(0, 10), period.end.slice(0, 10)] : [];
  const words = [repository ?? '', title, ...days].map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, ''));
  return `${words.filter(Boolean).join('-')}.${ending}`;
}
