// A table as CSV (RFC 4180). Its first columns say which repository and which period it is about.

import type { Unit } from './numbers.ts';

export type Cell = string | number | boolean | null;

export interface Table {
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** What a table is about. A table of several repositories names them itself, and not every table has a period. */
export interface About {
  repository: string | null;
  period: { start: string; end: string } | null;
}

export function csv({ columns, rows }: Table, { repository, period }: About): string {
  const names = [...(repository === null ? [] : ['repository']), ...(period === null ? [] : ['period_start', 'period_end'])];
  const values = [...(repository === null ? [] : [repository]), ...(period === null ? [] : [period.start, period.end])];
  const lines = [
    [...names, ...columns],
    ...rows.map((row) => [...values, ...row]),
  ];
  return lines.map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/** The name of a column with its unit: `p50_seconds`. */
export function columnName(label: string, unit: Unit): string {
  const name = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
  return unit === 'seconds' ? `${name}_seconds` : name;
}

/** A spreadsheet takes such a text for a formula; the server escapes the same ones (queues/export/formats.py). */
const LIKE_A_FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function field(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = LIKE_A_FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
