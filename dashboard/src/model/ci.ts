// Charts about CI: how long it runs, how checks end.

import type { Schemas } from '../api/api-types.ts';
import { ranked, summed, type Chart, type Span, type Tone } from './chart.ts';
import { badTone } from './few.ts';
import { labelOf } from './reasons.ts';

type Runtimes = Schemas['average_ci_runtime']['groups'];
type Outcomes = Schemas['queues_checks_outcome_count']['groups'];

const TONES: readonly Tone[] = ['accent', 'accent-2', 'grey', 'grey-2'];
const FAILURES = ['CHECKS_FAILED', 'CHECKS_TIMEOUT'];

/** The mean over all groups: sums and counts add up, means do not. */
export function runtimeChart(groups: Runtimes, spans: readonly Span[]): Chart {
  const sums = summed(groups, spans, (entry) => entry.sum_runtime);
  const counts = summed(groups, spans, (entry) => entry.count_runtime);
  const means = sums.map((sum, i) => (sum === null || !counts[i] ? null : sum / counts[i]));
  const series = [{ label: 'mean runtime', values: means, mark: 'line' as const, tone: 'accent' as const }];
  return { spans, unit: 'seconds', series, counts: { label: 'CI runs', values: counts } };
}

/** Passed, failed, the two most frequent other outcomes, and the rest. */
export function outcomeChart(groups: Outcomes, spans: readonly Span[]): Chart {
  const found = ranked(groups, (entry) => entry.check_outcome);
  const codes = found.map(([code]) => code);
  const total = found.reduce((sum, [, count]) => sum + count, 0);
  const others = codes.filter((code) => code !== 'SUCCESS' && !FAILURES.includes(code));
  const kinds: [string, Tone, string[]][] = [
    [labelOf('SUCCESS'), 'accent', ['SUCCESS']],
    ['failed or timed out', badTone(true, total), FAILURES],
    ...others.slice(0, 2).map((code, i): [string, Tone, string[]] => [labelOf(code), TONES[i + 1] ?? 'grey', [code]]),
    ['other', 'grey-2', others.slice(2)],
  ];
  const series = kinds.map(([label, tone, wanted]) => {
    const counted = (entry: { check_outcome: string; count: number }) => (wanted.includes(entry.check_outcome) ? entry.count : 0);
    return { label, values: summed(groups, spans, counted), mark: 'stack' as const, tone };
  });
  return { spans, unit: 'count', series };
}
