// Formats durations for people.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** At most two units: `45s`, `31m`, `1h52`, `2d 3h`. */
export function formatDuration(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return '–';
  const sign = seconds < 0 ? '−' : '';
  const length = Math.abs(seconds);
  if (length < 59.5) return `${sign}${Math.round(length)}s`;
  const minutes = Math.round(length / MINUTE);
  if (minutes < 60) return `${sign}${minutes}m`;
  if (minutes < 24 * 60) return `${sign}${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}`;
  const hours = Math.round(length / HOUR);
  const rest = hours % 24;
  return `${sign}${Math.floor(hours / 24)}d${rest ? ` ${rest}h` : ''}`;
}

/** A round length for an axis: the smallest that leaves at most `most` steps below `largest`. */
export function niceStep(largest: number, most: number): number {
  const steps = [1, 5, 10, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE]
    .concat([1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR))
    .concat([1, 2, 5, 7, 14, 28].map((days) => days * DAY));
  return steps.find((step) => largest / step <= most) ?? Math.ceil(largest / most / DAY) * DAY;
}
