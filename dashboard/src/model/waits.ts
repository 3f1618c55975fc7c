// What a stay in the queue waits for.

import { FIGURES } from '../api/api-types.ts';
import type { Tone } from './chart.ts';

export const WAITS = ['ci', 'capacity', 'schedule', 'freeze'] as const;
export type Wait = (typeof WAITS)[number];

export const WAIT_LABELS: Record<Wait, string> = {
  ci: FIGURES.waiting_ci.short,
  capacity: FIGURES.waiting_capacity.short,
  schedule: FIGURES.waiting_schedule.short,
  freeze: FIGURES.waiting_freeze.short,
};

export const WAIT_MEANINGS: Record<Wait, string> = {
  ci: 'CI was running for the pull request',
  capacity: 'waiting for a free slot, a batch or the pull requests ahead',
  schedule: 'outside the hours in which the queue merges',
  freeze: 'the queue was frozen',
};

export const WAIT_TONES: Record<Wait, Tone> = { ci: 'accent', capacity: 'accent-2', schedule: 'grey', freeze: 'freeze' };
