// What CI cost in a period, by the prices of the repository.

import type { Summary } from '../api/types.ts';

// Checks of a run run side by side, so a run of 25 minutes may have cost two hours.
const COUNTED = 'Cost counts the minutes of all checks; CI time per merge counts the length of CI runs.';

export function costSentence({ currency, total, per_merge, wasted }: NonNullable<Summary['cost']>): string {
  const price = (amount: string) => formatPrice(amount, currency);
  const each = per_merge === null ? '' : `, ${price(per_merge)} per merge`;
  const waste = `${price(wasted)} of it went into runs that failed, were repeated, superseded or stopped`;
  return `CI cost ${price(total)}${each}; ${waste}. ${COUNTED}`;
}

/** As people write it: `$1,234.50`, or with the code of a currency that has no sign of its own. */
function formatPrice(amount: string, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(Number(amount));
}
