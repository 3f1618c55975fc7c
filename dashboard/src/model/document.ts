// Writes settings into a configuration document, line by line: comments and everything else stay as they are.

import type { QueueSettings } from '../api/types.ts';
import { keysOf, type KeyAt } from './yaml.ts';

const OF_QUEUES = ['batch_size', 'batch_max_wait_time', 'max_checks_retries'];
const OF_ALL = ['max_parallel_checks'];

type Settings = Readonly<Record<string, unknown>>;

/** The document with these settings; null if its form does not allow it, such as queue rules in one line. */
export function withSettings(text: string, settings: Settings): string | null {
  let written: string | null = text;
  for (const name of OF_QUEUES.filter((one) => one in settings)) written = written === null ? null : inEveryQueue(written, name, valueOf(name, settings[name]));
  for (const name of OF_ALL.filter((one) => one in settings)) written = written === null ? null : inMergeQueue(written, name, valueOf(name, settings[name]));
  return written;
}

/** A document with nothing but today's settings and these, for a repository whose document is not known. */
export function documentOf(queues: Readonly<Record<string, QueueSettings>>, settings: Settings): string {
  const rules = Object.entries(queues).flatMap(([name, queue]) => {
    const all = { ...queue, ...settings } as Settings;
    return [`  - name: ${JSON.stringify(name)}`, ...OF_QUEUES.filter((one) => one in all).map((one) => `    ${one}: ${valueOf(one, all[one])}`)];
  });
  const slots = Math.max(1, ...Object.values(queues).map((queue) => ('max_parallel_checks' in queue ? queue.max_parallel_checks : 1)));
  return ['queue_rules:', ...rules, 'merge_queue:', `  max_parallel_checks: ${settings.max_parallel_checks ?? slots}`, ''].join('\n');
}

function valueOf(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null && 'min' in value && 'max' in value) return `{min: ${value.min}, max: ${value.max}}`;
  return name === 'batch_max_wait_time' ? `${value} s` : String(value);
}

function inEveryQueue(text: string, name: string, value: string): string | null {
  const rules = firstKeys(keysOf(text), 'queue_rules');
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
