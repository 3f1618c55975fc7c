// What a document would do to open pull requests, grouped by outcome.

import type { SimulatedRow } from '../api/types.ts';

type Outcome = SimulatedRow['outcome'];

/** In the order of what people look for: what moves, then what waits, then the rest. */
const GROUPS: Record<Outcome, string> = {
  'would enter': 'Would enter a queue',
  'is queued': 'Is in a queue',
  'waiting to enter': 'Waits to enter a queue',
  'is blocked': 'Is blocked from the queue',
  'can be queued by command': 'Can be queued by command',
  'is not admitted': 'Is not admitted to a queue',
  'no queue': 'Without a queue',
  'not simulated': 'Not simulated',
};

export interface Group {
  title: string;
  rows: SimulatedRow[];
}

export function grouped(rows: readonly SimulatedRow[]): Group[] {
  const all = Object.entries(GROUPS).map(([outcome, title]) => ({ title, rows: rows.filter((row) => row.outcome === outcome) }));
  return all.filter((group) => group.rows.length > 0);
}

export function isChanged(row: SimulatedRow): boolean {
  return (row.changes?.length ?? 0) > 0;
}

/** A difference of queues repeats what `now` and `then` say; the other changes are about actions and protections. */
export function otherChanges(row: SimulatedRow): string[] {
  return (row.changes ?? []).filter((change) => !(change.includes(' (now: ') && row.then !== null && change.startsWith(row.then)));
}
