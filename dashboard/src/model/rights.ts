// What a credential may do, in words.

const RIGHTS: Record<string, string> = {
  read: 'read figures and simulate configurations',
  ingest: 'send events and snapshots',
  products: 'change which products are enabled',
  settings: 'change thresholds, reference periods, prices and rules of channels',
  channels: 'manage where notices go',
  sources: 'add queues of platforms',
  operate: 'manage keys, delete repositories and do everything else that an operator may do',
};
const SCOPES: Record<string, string> = { read: 'read and simulate', ingest: 'send events', admin: 'change settings', sources: 'add queues of platforms' };

/** Rights that follow from others are not mentioned; one without words is named as it is. */
export function rightsInWords(rights: readonly string[]): string[] {
  return rights.filter((one) => one !== 'list' && one !== 'badge' && one !== 'public').map((one) => RIGHTS[one] ?? one);
}

export function scopesInWords(scopes: readonly string[]): string {
  return scopes.map((one) => SCOPES[one] ?? one).join(', ');
}

const DAY = 86_400_000;

/** When a key that is made now expires; null for one that does not. */
export function expiryAfter(days: number | null, now: number): string | null {
  return days === null ? null : new Date(now + days * DAY).toISOString();
}
