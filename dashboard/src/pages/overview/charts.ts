// The charts of the first screen, from a summary and the one before.

import { FIGURES } from '../../api/api-types.ts';
import type { FigureName, Interval, Summary } from '../../api/types.ts';
import { aligned } from '../../model/aligned.ts';
import type { Chart } from '../../model/chart.ts';
import { badTone } from '../../model/few.ts';
import { WAIT_LABELS, WAIT_TONES, WAITS } from '../../model/waits.ts';

/** What all charts of the page share: their axis, what is picked on it, and when something was wrong. */
export type Frame = Required<Pick<Chart, 'window' | 'picked' | 'troubles'>>;

export function timeChart(summary: Summary, before: Summary | null): Chart {
  const spans = summary.series ?? [];
  const series: Chart['series'] = [
    { label: 'p50', values: values(spans, 'time_in_queue_p50'), mark: 'line', tone: 'accent', whole: summary.all.time_in_queue_p50.value },
    { label: 'p95', values: values(spans, 'time_in_queue_p95'), mark: 'line', tone: 'accent-2', whole: summary.all.time_in_queue_p95.value },
  ];
  const padded = before === null ? [] : aligned(summary, before, (one) => one.time_in_queue_p50.value);
  const isKnown = padded.some((value) => value !== null);
  return {
    spans,
    unit: 'seconds',
    threshold: summary.thresholds.time_in_queue_p95,
    series: isKnown ? [...series, { label: 'p50 before', values: padded, mark: 'dashed', tone: 'grey', whole: summary.all.time_in_queue_p50.before }] : series,
  };
}

export function waitingChart(summary: Summary): Chart {
  const spans = summary.series ?? [];
  const series = WAITS.map((wait) => ({
    label: WAIT_LABELS[wait],
    values: values(spans, `waiting_${wait}`),
    mark: 'stack' as const,
    tone: WAIT_TONES[wait],
    whole: summary.all[`waiting_${wait}`].value,
  }));
  return { spans, unit: 'seconds', series };
}

export function flowChart(summary: Summary): Chart {
  const spans = summary.series ?? [];
  return {
    spans,
    unit: 'count',
    series: [
      { label: FIGURES.entered.words, values: values(spans, 'entered'), mark: 'bar', tone: 'grey', whole: summary.all.entered.value },
      { label: FIGURES.merged.words, values: values(spans, 'merged'), mark: 'bar', tone: 'accent', whole: summary.all.merged.value },
    ],
  };
}

export function failureChart(summary: Summary): Chart {
  const spans = summary.series ?? [];
  const rate = { label: FIGURES.failure_rate.words, values: values(spans, 'failure_rate'), mark: 'line' as const, tone: badTone(true, summary.all.failure_rate.count), whole: summary.all.failure_rate.value };
  return { spans, unit: 'rate', threshold: summary.thresholds.failure_rate, series: [rate], counts: { label: 'stays', values: spans.map((one) => one.failure_rate.count) } };
}

export function runsChart(summary: Summary): Chart {
  const spans = summary.series ?? [];
  const runs = { label: FIGURES.ci_runs_per_merge.words, values: values(spans, 'ci_runs_per_merge'), mark: 'line' as const, tone: 'accent' as const, whole: summary.all.ci_runs_per_merge.value };
  return { spans, unit: 'ratio', threshold: summary.thresholds.ci_runs_per_merge, series: [runs], counts: { label: 'merged', values: values(spans, 'merged') } };
}

export function values(spans: readonly Interval[], name: FigureName): (number | null)[] {
  return spans.map((one) => one[name].value);
}
