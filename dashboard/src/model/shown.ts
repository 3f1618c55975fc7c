// Names of branches are shown with every character that would hide or reorder others as its code.

/** Control characters and line separators, marks of direction, and tags, which are invisible. */
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** `release\u202e` for a name that ends in a mark of direction. Its value stays as it is. */
export function shown(name: string): string {
  return name.replaceAll(UNSHOWABLE, (one) => `\\u${(one.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}
