// Where the axes of a chart have their labels.

import { niceStep } from './duration.ts';
import type { Unit } from './numbers.ts';
import type { Zone } from './times.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const TIME_STEPS = [HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY];

/** Round values from 0 up to the top of the vertical axis. */
export function valueSteps(top: number, unit: Unit): number[] {
  const step = unit === 'seconds' ? niceStep(top, 4) : roundStep(top / 4, unit === 'count');
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

function roundStep(least: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= least) ?? least;
  return isWhole ? Math.max(1, step) : step;
}

/** At most about `most` round instants between two others, in milliseconds, and their distance. Days begin at midnight of the zone. */
export function timeSteps(start: number, end: number, most: number, zone: Zone): { step: number; instants: number[] } {
  const step = TIME_STEPS.find((one) => (end - start) / one <= most) ?? Math.ceil((end - start) / most / DAY) * DAY;
  const first = new Date(start);
  if (zone === 'UTC') first.setUTCHours(0, 0, 0, 0);
  else first.setHours(0, 0, 0, 0);
  const instants: number[] = [];
  for (let at = first.getTime(); at <= end; at += step) if (at >= start) instants.push(at);
  return { step, instants };
}
