// The path of a sparkline.

export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const top = Math.max(...values.map((value) => value ?? 0)) || 1;
  const step = width / Math.max(values.length - 1, 1);
  let isDown = false;
  return values
    .map((value, i) => {
      const command = isDown ? 'L' : 'M';
      isDown = value !== null;
      // A point between two gaps has no line: it becomes a short one.
      const isAlone = command === 'M' && (values[i + 1] ?? null) === null;
      return value === null ? '' : `${command}${round(i * step)} ${round(height - (value / top) * height)}${isAlone ? 'm-1 0h2' : ''}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
