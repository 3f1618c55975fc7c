// Labels for the codes of reasons and outcomes, and whether each is good or bad.

import { REASON_WORDS, type Schemas } from '../api/api-types.ts';

type Left = Extract<Schemas['Event'], { type: 'queue_left' }>;
type Ended = Extract<Schemas['Event'], { type: 'checks_ended' }>;
type Code = Left['reason'] | Ended['outcome'];

export type Tone = 'good' | 'bad' | 'neutral';

// Every code of the API has words, so that a new one is a type error here and not a raw code on a page.
const LABELS: Record<Code, string> = REASON_WORDS;
const BAD = new Set(['CHECKS_FAILED', 'CHECKS_TIMEOUT', 'DROPPED_BY_BISECTION_ELIMINATION']);
const MERGED = new Set(['SUCCESS', 'PR_MERGED', 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED']);

/** A code that only a newer server knows is shown in lower case. */
export function labelOf(code: string): string {
  return code in LABELS ? LABELS[code as Code] : code.toLowerCase().replaceAll('_', ' ');
}

export function toneOf(code: string): Tone {
  return MERGED.has(code) ? 'good' : BAD.has(code) ? 'bad' : 'neutral';
}

export function isMerged(reason: string | null): boolean {
  return reason === 'PR_MERGED' || reason === 'PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED';
}
