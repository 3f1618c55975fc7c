// Where a timeline has ticks: at round times of the reader's zone.

import { niceStep } from './duration.ts';
import { formatTick, type Zone } from './times.ts';

export interface Tick {
  /** Share of the line, from its start. */
  at: number;
  label: string;
}

const MOST = 6;
const DAY = 86_400;
/** Labels closer to an end than this share would be cut off. */
const EDGE = 0.06;

/** At most six; `offset` is how many minutes the zone is ahead of UTC when the line begins. */
export function ticksOf({ start, end }: { start: number; end: number }, zone: Zone, offset: number): Tick[] {
  const length = end - start;
  if (!(length > 0)) return [];
  const step = niceStep(length / 1000, MOST);
  const ahead = offset * 60_000;
  const found: Tick[] = [];
  for (let at = Math.ceil((start + ahead) / (step * 1000)) * step * 1000 - ahead; at < end; at += step * 1000) {
    const share = (at - start) / length;
    found.push({ at: share, label: share < EDGE || share > 1 - EDGE ? '' : formatTick(at, Math.min(step, DAY), zone) });
  }
  return found;
}
