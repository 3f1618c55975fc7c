// Lengths of time in a field: `7h23m`, `90m`, `2d 3h`, or a number of seconds.

const UNITS = [['d', 86_400], ['h', 3600], ['m', 60], ['s', 1]] as const;
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
const FORM = new RegExp(`^${UNITS.map(([unit]) => `(?:${NUMBER}${unit})?`).join(' ?')}$`);

/** How long a text says in seconds; null unless it is a length of time. */
export function readDuration(text: string): number | null {
  const plain = text.trim().toLowerCase();
  if (new RegExp(`^${NUMBER}$`).test(plain)) return Number(plain);
  // `7h23`, as charts and tiles write it.
  const parts = FORM.exec(plain.replace(/(\d) ?([dhms])/g, '$1$2').replace(/(h ?\d\d?)$/, '$1m'))?.slice(1);
  if (!parts?.some(Boolean)) return null;
  return UNITS.reduce((sum, [, seconds], i) => sum + Number(parts[i] ?? 0) * seconds, 0);
}

/** All of a length: `7h23m`, `2d 3h`, `1m30s`. */
export function writeDuration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.map(([unit, length]) => {
    const count = unit === 's' ? +rest.toFixed(3) : Math.floor(rest / length);
    rest -= count * length;
    return count > 0 ? `${count}${unit}${unit === 'd' ? ' ' : ''}` : '';
  });
  return parts.join('').trim() || '0s';
}

/** A length that was learned, without more digits than it deserves. */
export function roughDuration(seconds: number): string {
  const step = seconds >= 86_400 ? 3600 : seconds >= 3600 ? 60 : 1;
  return writeDuration(Math.round(seconds / step) * step);
}
