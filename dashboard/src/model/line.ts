// What to say to those who wait in line for the server.

import { plural } from './numbers.ts';

/** Where a request is in line: 1 is next, 0 is being computed; `under_way` are those of others. */
export interface Line {
  position: number;
  under_way: number;
}

/** `what` is computed for others, in the singular. */
export function lineSentence({ position, under_way }: Line, what: string): string {
  const others = plural(under_way, what);
  if (position > 0) return `Number ${position} in line; ${others} under way.`;
  return under_way > 0 ? `It takes turns with ${others}.` : '';
}
