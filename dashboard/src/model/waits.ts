// What a stay in the queue waits for.

import type { Tone } from './chart.ts';

export const WAITS = ['ci', 'capacity', 'schedule', 'freeze'] as const;
export type Wait = (typeof WAITS)[number];

export const WAIT_LABELS: Record<Wait, string> = {
  ci: 'CI',
  capacity: 'capacity',
  schedule: 'schedule',
  freeze: 'freeze',
};

export const WAIT_MEANINGS: Record<Wait, string> = {
  ci: 'CI was running for the pull request',
  capacity: 'waiting for a free slot, a batch or the pull requests ahead',
  schedule: 'outside the hours in which the queue merges',
  freeze: 'the queue was frozen',
};

export const WAIT_TONES: Record<Wait, Tone> = { ci: 'accent', capacity: 'accent-2', schedule: 'grey', freeze: 'freeze' };
