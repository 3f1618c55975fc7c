// With little data nothing is good or bad: chance alone may explain it.

import type { Tone } from './chart.ts';
import { plural } from './numbers.ts';

/** Figures about fewer stays, merges or runs say little. */
export const FEW = 20;

/** Why a figure of so few things is not judged; null if there are enough. */
export function fewReason(count: number, what: string): string | null {
  return count < FEW ? `Only ${plural(count, what)}: chance alone may explain the value, so it is not judged` : null;
}

/** The color of what is bad, if it is among enough things. */
export function badTone(isBad: boolean, count: number, other: Tone = 'grey'): Tone {
  return isBad && count >= FEW ? 'bad' : other;
}
