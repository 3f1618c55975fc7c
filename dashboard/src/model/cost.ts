// What CI cost in a period, by the prices of the repository.

import type { Summary } from '../api/types.ts';

export function costSentence({ currency, total, per_merge, wasted }: NonNullable<Summary['cost']>): string {
  const price = (amount: string) => formatPrice(amount, currency);
  const each = per_merge === null ? '' : `, ${price(per_merge)} per merge`;
  return `CI cost ${price(total)}${each}; ${price(wasted)} of it went into runs that failed, were repeated, superseded or stopped.`;
}

/** As people write it: `$1,234.50`, or with the code of a currency that has no sign of its own. */
function formatPrice(amount: string, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(Number(amount));
}
