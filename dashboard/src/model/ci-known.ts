// Why the figures of a summary about CI are missing.

import { UNKNOWN_CI } from '../api/api-types.ts';
import type { Summary } from '../api/types.ts';

type Figures = Pick<Summary['all'], 'merged' | 'ci_runs_per_merge' | 'waiting_schedule' | 'waiting_ci'>;

/** The reason, if no source reports CI runs; pull requests merged or left, so there would be figures. */
export function unknownCi(figures: Figures): string | null {
  const hasMerges = Boolean(figures.merged.value) && figures.ci_runs_per_merge.value === null;
  const hasStays = figures.waiting_schedule.value !== null && figures.waiting_ci.value === null;
  return hasMerges || hasStays ? UNKNOWN_CI : null;
}
