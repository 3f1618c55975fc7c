// Which part of a repository's history a page shows: period, comparison and filters, as the URL contains them.

import type { Summary } from '../api/types.ts';
import type { Compare } from './compare.ts';
import { fixed, lastPeriod, parseInstant, instant, untilNow, WINDOWS, type Period, type WindowName } from './period.ts';
import type { Parameters } from './question.ts';

export { fixed, instant, type Period, type WindowName } from './period.ts';

/** A summary says which window it is compared with. */
type Compared = Pick<Summary, 'window_before'>;

export interface View {
  /** A window that ends now, or a fixed period. */
  window: WindowName | Period;
  /** What zooming out returns to, the nearest one last. */
  outer: readonly (WindowName | Period)[];
  compare: Compare;
  base_ref: string | null;
  queue_name: string | null;
  priority_rule_name: string | null;
}

const USUAL: WindowName = '7d';
const NAMES = ['window', 'from', 'to', 'out', 'compare', 'pinned', 'branch', 'queue', 'priority'];
/** More than anyone needs; an address must not grow without limit. */
const DEEPEST = 10;

/** Filters that are tampered with count as absent. A period that cannot be read is kept: the page says what is wrong with it. */
export function readView(query: URLSearchParams): View {
  return {
    window: readWindow(query),
    outer: query.getAll('out').flatMap((text) => windowNamed(text) ?? outerPeriod(text) ?? []).slice(-DEEPEST),
    compare: readCompare(query),
    base_ref: query.get('branch') || null,
    queue_name: query.get('queue') || null,
    priority_rule_name: query.get('priority') || null,
  };
}

/** The URL parameters for a view, without defaults. Other parameters are kept. */
export function writeView(query: URLSearchParams, view: View): URLSearchParams {
  const written = new URLSearchParams(query);
  for (const name of NAMES) written.delete(name);
  if (typeof view.window !== 'string') {
    written.set('from', view.window.start);
    written.set('to', view.window.end);
  } else if (view.window !== USUAL) {
    written.set('window', view.window);
  }
  for (const one of view.outer.slice(-DEEPEST)) written.append('out', typeof one === 'string' ? one : one.name);
  if (typeof view.compare === 'object') written.set('pinned', view.compare.pinned);
  else if (view.compare !== 'usual') written.set('compare', view.compare);
  if (view.base_ref) written.set('branch', view.base_ref);
  if (view.queue_name) written.set('queue', view.queue_name);
  if (view.priority_rule_name) written.set('priority', view.priority_rule_name);
  return written;
}

/** The period that a view shows. That of `all` begins with the first event. */
export function periodOf(view: View, now: number, firstEvent: string | null = null): Period {
  return typeof view.window === 'string' ? lastPeriod(view.window, now, firstEvent) : untilNow(view.window, now);
}

/** A part of what a view shows; zooming out returns to all of it. */
export function zoomedInto(view: View, span: { start: string; end: string }): Pick<View, 'window' | 'outer'> {
  return { window: fixed(span), outer: [...view.outer, view.window] };
}

export function zoomedOut(view: View): Pick<View, 'window' | 'outer'> {
  return { window: view.outer.at(-1) ?? view.window, outer: view.outer.slice(0, -1) };
}

/** The period that the figures of a summary are compared with. */
export function before({ window_before }: Compared, { name }: Period, chosen: Period | null = null): Period {
  return { ...window_before, name: `${chosen?.name ?? 'before'} ${name}` };
}

/** The parameters of a question about a view. */
export function parametersOf({ base_ref, queue_name, priority_rule_name }: View, period: Period): Parameters & { period: Period } {
  return { period, base_ref, queue_name, priority_rule_name };
}

function readWindow(query: URLSearchParams): WindowName | Period {
  const [from, to, name] = [query.get('from'), query.get('to'), query.get('window')];
  if (from === null && to === null && name === null) return USUAL;
  return windowNamed(name) ?? fixed({ start: exact(from ?? name ?? ''), end: exact(to ?? '') });
}

function readCompare(query: URLSearchParams): Compare {
  const [pinned, compare] = [query.get('pinned'), query.get('compare')];
  if (pinned) return { pinned };
  return compare === 'before' || compare === 'week' ? compare : 'usual';
}

function windowNamed(text: string | null): WindowName | undefined {
  return WINDOWS.find((one) => one === text);
}

function outerPeriod(text: string): Period | null {
  const [start = '', end = ''] = text.split('/').map(exact);
  return parseInstant(start) < parseInstant(end) ? fixed({ start, end }) : null;
}

/** One spelling for every instant; text that is none stays as it is. */
function exact(text: string): string {
  const at = parseInstant(text);
  return Number.isNaN(at) ? text : instant(at);
}
