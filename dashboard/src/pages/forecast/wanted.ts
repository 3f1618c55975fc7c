// The candidate's settings, as the URL contains them.

export interface SettingField {
  name: string;
  label: string;
  hint: string;
  most: number;
}

export const FIELDS: readonly SettingField[] = [
  { name: 'batch_size', label: 'Batch size', hint: 'pull requests tested together', most: 128 },
  { name: 'max_parallel_checks', label: 'Parallel checks', hint: 'CI runs at the same time', most: 128 },
  { name: 'batch_max_wait_time', label: 'Wait to fill a batch, s', hint: 'seconds', most: 86_400 },
  { name: 'max_checks_retries', label: 'Retries', hint: 'of a failed run', most: 10 },
];

/** Tampered values count as absent. */
export function readWanted(query: URLSearchParams): Record<string, number> {
  const found = FIELDS.map(({ name, most }): [string, number] => {
    const text = query.get(name) ?? '';
    return [name, /^\d{1,6}$/.test(text) && Number(text) <= most ? Number(text) : NaN];
  });
  return Object.fromEntries(found.filter(([, value]) => !Number.isNaN(value)));
}
