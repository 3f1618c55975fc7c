// Which part of a repository's history a page shows: the window and the filters, as the URL contains them.

import type { Summary } from '../api/types.ts';
import type { Parameters } from './question.ts';

export const WINDOWS = ['24h', '7d', '28d', '90d'] as const;
export type WindowName = (typeof WINDOWS)[number];

export interface Period {
  start: string;
  end: string;
  /** The same for the same window at any time: `7d` ends now, so its ends move while its name stays. */
  name: string;
}

/** A summary says which window it is about, and which one it is compared with. */
type Compared = Pick<Summary, 'window' | 'window_before'>;

export interface View {
  /** A window that ends now, or a fixed period. */
  window: WindowName | Period;
  base_ref: string | null;
  queue_name: string | null;
  priority_rule_name: string | null;
}

const SECONDS: Record<WindowName, number> = { '24h': 86_400, '7d': 604_800, '28d': 28 * 86_400, '90d': 90 * 86_400 };
const USUAL: WindowName = '7d';

/** Tampered or outdated values count as absent. */
export function readView(query: URLSearchParams): View {
  const name = WINDOWS.find((one) => one === query.get('window'));
  return {
    window: name ?? fixedPeriod(query.get('from'), query.get('to')) ?? USUAL,
    base_ref: query.get('branch') || null,
    queue_name: query.get('queue') || null,
    priority_rule_name: query.get('priority') || null,
  };
}

/** The URL parameters for a view, without defaults. Other parameters are kept. */
export function writeView(query: URLSearchParams, view: View): URLSearchParams {
  const written = new URLSearchParams(query);
  for (const name of ['window', 'from', 'to', 'branch', 'queue', 'priority']) written.delete(name);
  if (typeof view.window !== 'string') {
    written.set('from', view.window.start);
    written.set('to', view.window.end);
  } else if (view.window !== USUAL) {
    written.set('window', view.window);
  }
  if (view.base_ref) written.set('branch', view.base_ref);
  if (view.queue_name) written.set('queue', view.queue_name);
  if (view.priority_rule_name) written.set('priority', view.priority_rule_name);
  return written;
}

/** The period that a view shows. It ends at a full minute, so that repeated requests within it cost the server nothing. */
export function periodOf(view: View, now: number): Period {
  if (typeof view.window !== 'string') return view.window;
  const end = Math.ceil(now / 60_000) * 60_000;
  return { start: instant(end - SECONDS[view.window] * 1000), end: instant(end), name: view.window };
}

/** A period whose ends never move. */
export function fixed({ start, end }: { start: string; end: string }): Period {
  return { start, end, name: `${start}/${end}` };
}

/** The period that the figures of a summary are compared with. */
export function before({ window_before }: Compared, { name }: Period): Period {
  return { ...window_before, name: `before ${name}` };
}

export function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/** The parameters of a question about a view. */
export function parametersOf({ base_ref, queue_name, priority_rule_name }: View, period: Period): Parameters & { period: Period } {
  return { period, base_ref, queue_name, priority_rule_name };
}

/** What the figures of a view are compared with: the adjoining period, or the same hours a week earlier. */
export function comparedWith(view: View, { window, window_before }: Compared): string {
  if (window_before.end !== window.start) return 'the same hours a week earlier';
  if (view.window === '7d') return 'the week before';
  if (view.window === '28d') return 'the 28 days before';
  if (view.window === '90d') return 'the 90 days before';
  return 'the period before';
}

function fixedPeriod(from: string | null, to: string | null): Period | null {
  const start = Date.parse(from ?? '');
  const end = Date.parse(to ?? '');
  return start < end ? fixed({ start: instant(start), end: instant(end) }) : null;
}
