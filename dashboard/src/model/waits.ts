// What a stay in the queue waits for.

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
