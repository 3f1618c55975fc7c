// Durations, written for people.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** At most two units: `45s`, `31m`, `1h52m`, `2d 3h`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return '–';
  const sign = seconds < 0 ? '−' : '';
  const length = Math.abs(seconds);
  if (length < 59.5) return `${sign}${Math.round(length)}s`;
  const minutes = Math.round(length / MINUTE);
  if (minutes < 60) return `${sign}${minutes}m`;
  if (minutes < 24 * 60) return `${sign}${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
  const hours = Math.round(length / HOUR);
  const rest = hours % 24;
  return `${sign}${Math.floor(hours / 24)}d${rest ? ` ${rest}h` : ''}`;
}

const UNITS = [['d', DAY], ['h', HOUR], ['m', MINUTE], ['s', 1]] as const;

/** A duration in a field, where nothing is rounded away: `7h23m`, `2d 3h`, `1m30s`. */
export function exactDuration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.map(([unit, length]) => {
    const count = unit === 's' ? +rest.toFixed(3) : Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? `${count}${unit}${unit === 'd' ? ' ' : ''}` : '';
  });
  return parts.join('').trim() || '0s';
}

/** A round length for an axis: the smallest that leaves at most `most` steps below `largest`. */
export function niceStep(largest: number, most: number): number {
  const steps = [1, 5, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE]
    .concat([1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR))
    .concat([1, 2, 5, 7, 14, 28].map((days) => days * DAY));
  return steps.find((step) => largest / step <= most) ?? Math.ceil(largest / most / DAY) * DAY;
}
