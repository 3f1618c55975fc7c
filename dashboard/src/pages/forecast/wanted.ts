// The candidate's settings, as the URL contains them.

export interface SettingField {
  name: string;
  label: string;
  hint: string;
  most: number;
  /** A factor on what was recorded, which need not be whole; 1 changes nothing. */
  isFactor?: boolean;
}

export const FIELDS: readonly SettingField[] = [
  { name: 'batch_size', label: 'Batch size', hint: 'pull requests tested together', most: 128 },
  { name: 'max_parallel_checks', label: 'Parallel checks', hint: 'CI runs at the same time', most: 128 },
  { name: 'batch_max_wait_time', label: 'Wait to fill a batch, s', hint: 'seconds', most: 86_400 },
  { name: 'max_checks_retries', label: 'Retries', hint: 'of a failed run', most: 10 },
  { name: 'ci_speed', label: 'CI time, times', hint: '0.8: every run takes 20 % less', most: 20, isFactor: true },
  { name: 'arrivals', label: 'Pull requests, times', hint: '1.3: 30 % more', most: 5, isFactor: true },
  { name: 'flakes', label: 'Flakes, times', hint: '0: none', most: 20, isFactor: true },
];

/** Tampered values count as absent. */
export function readWanted(query: URLSearchParams): Record<string, number> {
  const found = FIELDS.map(({ name, most, isFactor }): [string, number] => {
    const text = query.get(name) ?? '';
    const isNumber = isFactor ? /^\d{1,2}(\.\d{1,4})?$/.test(text) : /^\d{1,6}$/.test(text);
    return [name, isNumber && Number(text) <= most ? Number(text) : NaN];
  });
  return Object.fromEntries(found.filter(([, value]) => !Number.isNaN(value)));
}

/** The factors alone: a map shows the combinations of other settings under them. */
export function factorsOf(wanted: Record<string, number>): Record<string, [number]> {
  const factors = FIELDS.filter(({ name, isFactor }) => isFactor && name in wanted);
  return Object.fromEntries(factors.map(({ name }) => [name, [wanted[name] ?? 1]]));
}
