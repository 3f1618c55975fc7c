// Texts as sentences.

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With a capital and a full stop, unless it ends like a sentence already. */
export function sentence(text: string): string {
  return `${capital(text)}${/[.!?…]$/.test(text) ? '' : '.'}`;
}
