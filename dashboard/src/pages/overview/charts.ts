// The charts of the first screen, from a summary and the one before.

import type { FigureName, Interval, Summary } from '../../api/types.ts';
import type { Chart, Tone } from '../../model/chart.ts';
import { WAIT_LABELS, WAITS, type Wait } from '../../model/waits.ts';

export const WAIT_TONES: Record<Wait, Tone> = { ci: 'accent', capacity: 'accent-2', schedule: 'grey', freeze: 'grey-2' };

export function timeChart(summary: Summary, before: Summary | null): Chart {
  const spans = summary.series ?? [];
  const series: Chart['series'] = [
    { label: 'p50', values: values(spans, 'time_in_queue_p50'), mark: 'line', tone: 'accent' },
    { label: 'p95', values: values(spans, 'time_in_queue_p95'), mark: 'line', tone: 'accent-2' },
  ];
  const earlier = before?.series ?? [];
  // The intervals of the window before, in order; the first may be cut off, so they are counted from the end.
  const p50 = values(earlier, 'time_in_queue_p50').slice(-spans.length);
  const padded = [...Array<null>(Math.max(0, spans.length - p50.length)).fill(null), ...p50];
  const isKnown = padded.some((value) => value !== null);
  return {
    spans,
    unit: 'seconds',
    series: isKnown ? [...series, { label: 'p50 before', values: padded, mark: 'dashed', tone: 'grey' }] : series,
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
      { label: 'entered', values: values(spans, 'entered'), mark: 'bar', tone: 'grey' },
      { label: 'merged', values: values(spans, 'merged'), mark: 'bar', tone: 'accent' },
    ],
  };
}

export function failureChart(summary: Summary): Chart {
  const spans = summary.series ?? [];
  const rate = { label: 'failure rate', values: values(spans, 'failure_rate'), mark: 'line' as const, tone: 'bad' as const };
  return { spans, unit: 'rate', series: [rate], counts: { label: 'stays', values: spans.map((one) => one.failure_rate.count) } };
}

export function values(spans: readonly Interval[], name: FigureName): (number | null)[] {
  return spans.map((one) => one[name].value);
}
