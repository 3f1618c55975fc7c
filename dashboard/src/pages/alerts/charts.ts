// The chart of the figure that an alert is about.

import { FIGURES } from '../../api/api-types.ts';
import type { Summary } from '../../api/types.ts';
import type { Chart } from '../../model/chart.ts';
import { failureChart, flowChart, runsChart, timeChart, values, waitingChart } from '../overview/charts.ts';

interface Titled {
  title: string;
  chart: Chart;
}

/** A previewed value is drawn instead of the one that was set. Only some figures have the unit of their chart. */
export function figureChart(figure: string, summary: Summary, previewed?: number | null): Titled {
  const { title, chart } = chartOf(figure, summary);
  const isOfChart = figure in summary.thresholds && typeof previewed === 'number';
  return { title, chart: isOfChart ? { ...chart, threshold: { threshold: previewed, is_exceeded: null } } : chart };
}

/** Alerts without a figure of their own over time show what entered and merged, or what was waited for. */
function chartOf(figure: string, summary: Summary): Titled {
  switch (figure) {
    case 'time_in_queue_p95':
      return { title: 'Time in queue', chart: timeChart(summary, null) };
    case 'time_to_merge_p95':
      return { title: 'Time to merge', chart: mergeChart(summary) };
    case 'failure_rate':
    case 'everyone_fails':
    case 'going_round':
      return { title: 'Failures', chart: failureChart(summary) };
    case 'ci_runs_per_merge':
      return { title: 'CI runs per merge', chart: runsChart(summary) };
    case 'run_too_long':
    case 'runs_slow':
      return { title: 'Where time goes', chart: waitingChart(summary) };
    default:
      return { title: 'Flow', chart: flowChart(summary) };
  }
}

function mergeChart(summary: Summary): Chart {
  const spans = summary.series ?? [];
  const p95 = { label: FIGURES.time_to_merge_p95.words, values: values(spans, 'time_to_merge_p95'), mark: 'line' as const, tone: 'accent' as const, whole: summary.all.time_to_merge_p95.value };
  return { spans, unit: 'seconds', series: [p95], threshold: summary.thresholds.time_to_merge_p95 };
}
