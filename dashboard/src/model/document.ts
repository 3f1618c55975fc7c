// Writes settings into a configuration document, line by line: comments and everything else stay as they are.

import type { QueueSettings } from '../api/types.ts';
import { keysOf, type KeyAt } from './yaml.ts';

/** What each queue has of its own; the other settings are those of all queues. */
export const OF_QUEUES = ['batch_size', 'batch_max_wait_time', 'max_checks_retries'];
const OF_ALL = ['max_parallel_checks'];

type Settings = Readonly<Record<string, unknown>>;

/** The document with these settings, in one queue or in all; null if its form does not allow it, such as queue rules in one line. */
export function withSettings(text: string, settings: Settings, queue: string | null = null): string | null {
  let written: string | null = text;
  for (const name of OF_QUEUES.filter((one) => one in settings)) written = written === null ? null : inQueues(written, queue, name, valueOf(name, settings[name]));
  for (const name of OF_ALL.filter((one) => one in settings)) written = written === null ? null : inMergeQueue(written, name, valueOf(name, settings[name]));
  return written;
}

const MISSING = ['# The current document is not known, so the conditions are missing. They belong here:', '# `queue_conditions` in each queue, and `pull_request_rules` that put pull requests into a queue.'];

/** A document with nothing but today's settings and these, for a repository whose document is not known. */
export function documentOf(queues: Readonly<Record<string, QueueSettings>>, settings: Settings, only: string | null = null): string {
  const rules = Object.entries(queues).flatMap(([name, queue]) => {
    const all = (only === null || only === name ? { ...queue, ...settings } : queue) as Settings;
    return [`  - name: ${JSON.stringify(name)}`, ...OF_QUEUES.filter((one) => one in all).map((one) => `    ${one}: ${valueOf(one, all[one])}`)];
  });
  const slots = Math.max(1, ...Object.values(queues).map((queue) => ('max_parallel_checks' in queue ? queue.max_parallel_checks : 1)));
  return [...MISSING, 'queue_rules:', ...rules, 'merge_queue:', `  max_parallel_checks: ${settings.max_parallel_checks ?? slots}`, ''].join('\n');
}

function valueOf(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null && 'min' in value && 'max' in value) return `{min: ${value.min}, max: ${value.max}}`;
  return name === 'batch_max_wait_time' ? `${value} s` : String(value);
}

function inQueues(text: string, queue: string | null, name: string, value: string): string | null {
  const keys = keysOf(text);
  const isMeant = (rule: KeyAt) => queue === null || nameOf(text, keys, rule) === queue;
  const rules = firstKeys(keys, 'queue_rules').filter(isMeant);
  if (rules.length === 0) return null;
  // From the last to the first, so that the lines before stay where they are.
  return rules.reverse().reduce((written, rule) => put(written, rule, name, value), text);
}

function inMergeQueue(text: string, name: string, value: string): string | null {
  const keys = keysOf(text);
  const section = keys.find((key) => key.path.join() === 'merge_queue');
  if (!section) return `${text.replace(/\n*$/, '\n')}merge_queue:\n  ${name}: ${value}\n`;
  const inside = keys.find((key) => key.path.length === 2 && key.path[0] === 'merge_queue');
  return inside ? put(text, inside, name, value) : null;
}

/** The name in the item of a list that this key belongs to. */
function nameOf(text: string, keys: readonly KeyAt[], { path }: KeyAt): string | null {
  const key = keys.find((one) => one.key === 'name' && one.path.length === 3 && one.path[0] === path[0] && one.path[1] === path[1]);
  if (!key) return null;
  const written = (text.split('\n')[key.line - 1] ?? '').slice(key.column - 1).replace(/^[^:]*:\s*/, '');
  return /^"([^"]*)"|^'([^']*)'/.exec(written)?.slice(1).find((one) => one !== undefined) ?? written.replace(/\s+#.*$/, '').trim();
}

export interface DiffLine {
  sign: ' ' | '-' | '+';
  text: string;
}

const AROUND = 2;

/** What distinguishes two documents, with two lines around each change; what is left out between changes is one line `…`. */
export function changedLines(before: string, after: string): DiffLine[] {
  const all = wholeDiff(before.split('\n'), after.split('\n'));
  const isNear = all.map((_, i) => all.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ sign }) => sign !== ' '));
  return all.flatMap((line, i) => (isNear[i] ? [line] : isNear[i - 1] ? [{ sign: ' ' as const, text: '…' }] : []));
}

/** By the longest common subsequence of lines. */
function wholeDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  const common = before.map(() => new Array<number>(after.length + 1).fill(0));
  common.push(new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) for (let j = after.length - 1; j >= 0; j--) common[i]![j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) lines.push({ sign: ' ', text: before[i++] ?? '' }), j++;
    else if (i < before.length && (j >= after.length || at(i + 1, j) >= at(i, j + 1))) lines.push({ sign: '-', text: before[i++] ?? '' });
    else lines.push({ sign: '+', text: after[j++] ?? '' });
  }
  return lines;
}

/** The first key of each item of a list. */
function firstKeys(keys: readonly KeyAt[], list: string): KeyAt[] {
  const items = new Map<string, KeyAt>();
  for (const key of keys) if (key.path.length === 3 && key.path[0] === list && !items.has(key.path[1] ?? '')) items.set(key.path[1] ?? '', key);
  return [...items.values()];
}

/** Write a key into the mapping that `beside` belongs to: over its value, or as a line of its own. */
function put(text: string, beside: KeyAt, name: string, value: string): string {
  const parent = beside.path.slice(0, -1).join('\0');
  const found = keysOf(text).find((key) => key.key === name && key.path.slice(0, -1).join('\0') === parent);
  const lines = text.split('\n');
  if (!found) {
    const end = endOf(lines, beside);
    lines.splice(end, 0, `${' '.repeat(beside.column - 1)}${name}: ${value}`);
    return lines.join('\n');
  }
  const line = lines[found.line - 1] ?? '';
  const comment = /\s+#.*$/.exec(line)?.[0] ?? '';
  const start = line.slice(0, found.column - 1);
  lines.splice(found.line - 1, endOf(lines, found) - found.line + 1, `${start}${name}: ${value}${comment}`);
  return lines.join('\n');
}

/** How many lines the document has up to the end of a key's value, which may continue on deeper lines. */
function endOf(lines: readonly string[], { line, column }: KeyAt): number {
  let end = line;
  while (end < lines.length && isDeeper(lines[end] ?? '', column)) end++;
  return end;
}

function isDeeper(line: string, column: number): boolean {
  const content = line.trimStart();
  return content !== '' && line.length - content.length >= column;
}
