// Alerts of queues: the open ones for a banner, the past ones for marks in charts.

import type { Alert, QueueNow } from '../api/types.ts';
import { MINUTE, fixed, instant, type Period, type Span } from './period.ts';
import { shown } from './shown.ts';

type Incident = QueueNow['incidents'][number];

/** What happened to a queue: the alert that explains most, and those that followed from it. */
export interface Happening<One extends Incident> {
  incident: One;
  cause: Alert;
  others: readonly Alert[];
}

/** Incidents with their alerts, in the order of the answer. */
export function happeningsOf<One extends Incident>(incidents: readonly One[], alerts: readonly Alert[]): Happening<One>[] {
  const byId = new Map(alerts.map((one) => [one.id, one]));
  return incidents.flatMap((incident) => {
    const [cause, ...others] = incident.alerts.flatMap((id) => byId.get(id) ?? []);
    return cause ? [{ incident, cause, others }] : [];
  });
}

/** When something was wrong; what lasts until now ends with the window. */
export function troublesOf(alerts: readonly Pick<Alert, 'since' | 'ended_at'>[], end: string): Span[] {
  return alerts.map((one) => ({ start: one.since, end: one.ended_at ?? end }));
}

export function queueLabel({ base_ref, queue_name }: { base_ref: string; queue_name: string }): string {
  return `${shown(queue_name)} on ${shown(base_ref)}`;
}

const HOUR = 60 * MINUTE;
const LEAST_AROUND = 6 * HOUR;

/** A period around an incident, in which one sees what was before and after it. */
export function around({ since, ended_at }: Pick<Incident, 'since' | 'ended_at'>, now: number): Period {
  const [start, end] = [Date.parse(since), ended_at === null ? now : Date.parse(ended_at)];
  const margin = Math.max(LEAST_AROUND, (end - start) / 2);
  const wide = Math.ceil((end + margin) / HOUR) * HOUR;
  return fixed({ start: instant(Math.floor((start - margin) / HOUR) * HOUR), end: instant(Math.min(Math.floor(now / MINUTE) * MINUTE, wide)) });
}
