// What CI cost in a period, by the prices of the repository.

import type { Summary } from '../api/types.ts';
import { formatChange } from './numbers.ts';

export type Cost = NonNullable<Summary['cost']>;

// Checks of a run run side by side, so a run of 25 minutes may have cost two hours.
const COUNTED = 'Cost counts the minutes of all checks; CI time per merge counts the length of CI runs.';

export function costSentence({ currency, total, per_merge, wasted, ...cost }: Cost): string {
  const price = (amount: string, change: number | null = null) => `${formatPrice(amount, currency)}${change === null ? '' : ` (${formatChange(change, 'count')})`}`;
  const each = per_merge === null ? '' : `, ${price(per_merge, cost.per_merge_change)} per merge`;
  const waste = `${price(wasted)} of it went into runs that failed, were repeated, superseded or stopped`;
  return `CI cost ${price(total, cost.total_change)}${each}; ${waste}. ${COUNTED}`;
}

/** As people write it: `$1,234.50`, or with the code of a currency that has no sign of its own. */
export function formatPrice(amount: string, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(Number(amount));
}
