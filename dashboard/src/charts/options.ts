// The options of uPlot for one of our charts: axes, colors, crosshair.

import uPlot from 'uplot';
import { valueSteps } from '../model/axis.ts';
import { axisTop, type Band, type Chart, type Series } from '../model/chart.ts';
import { formatAxis } from '../model/numbers.ts';
import { formatTick, type Zone } from '../model/times.ts';
import { paintBand, paintCuts, paintPicked, paintTroubles } from './marks.ts';
import { edgesOf, paint } from './paint.ts';

const SYNC = 'crosshair';

export interface Wanted {
  chart: Chart;
  width: number;
  height: number;
  zone: Zone;
  /** Changes with the theme. */
  paint: number;
  onCursor: (index: number | null) => void;
  /** Once instants have places. */
  onReady: (plot: uPlot) => void;
}

export function dataOf(chart: Chart): uPlot.AlignedData {
  const middles = edgesOf(chart).map(([start, end]) => (start + end) / 2);
  return [middles, ...chart.series.map((one) => [...one.values])];
}

export function optionsOf({ chart, width, height, zone, paint: theme, onCursor, onReady }: Wanted): uPlot.Options {
  const color = tokens(theme);
  const colorOf = (series: Series) => color(`--tone-${series.tone}`);
  const top = axisTop(chart) * 1.05;
  const edges = edgesOf(chart);
  const options: uPlot.Options = {
    width,
    height,
    legend: { show: false },
    padding: [8, 24, 0, 0],
    cursor: {
      y: false,
      // `Dragging` does it: uPlot follows no finger, and forgets a drag when it is drawn again.
      drag: { setScale: false, x: false, y: false },
      bind: { mousedown: () => null, mouseup: () => null },
      points: { show: false },
      // The crosshair is in all charts; only one of them is drawn over.
      sync: { key: SYNC, setSeries: false, filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' } },
    },
    scales: {
      x: { time: true, range: () => [edges[0]?.[0] ?? 0, edges.at(-1)?.[1] ?? 1] },
      y: { range: () => [0, top] },
    },
    axes: [
      { ...axis(color), size: 22, grid: { show: false }, space: 70, values: (_, at, __, ___, step) => at.map((one) => formatTick(one * 1000, step, zone)) },
      {
        ...axis(color),
        size: 52,
        gap: 4,
        grid: { stroke: color('--line'), width: 1 },
        ticks: { show: false },
        splits: () => valueSteps(top, chart.unit),
        values: (_, values) => values.map((value) => formatAxis(value, chart.unit)),
      },
    ],
    series: [{}, ...chart.series.map((one) => lineOf(one, colorOf(one)))],
    bands: bandsOf(chart, color('--tone-accent-2')),
    hooks: {
      drawClear: [(plot) => paintPicked(plot, chart, color('--accent-wash'), color('--accent'))],
      drawAxes: [
        (plot) => paint(plot, chart, edges, colorOf),
        (plot) => paintBand(plot, chart.band, color('--text-soft')),
        (plot) => paintBand(plot, thresholdOf(chart), color('--text')),
      ],
      draw: [
        (plot) => paintCuts(plot, chart, color('--text')),
        (plot) => paintTroubles(plot, chart, color('--tone-bad')),
      ],
      ready: [onReady],
      setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)],
    },
  };
  if (zone === 'UTC') options.tzDate = (at) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC');
  return options;
}

function thresholdOf({ threshold }: Chart): Band | null {
  return threshold ? { label: 'threshold', low: threshold.threshold, high: threshold.threshold } : null;
}

function lineOf(series: Series, stroke: string): uPlot.Series {
  const isLine = series.mark === 'line' || series.mark === 'dashed';
  return {
    label: series.label,
    stroke,
    width: series.mark === 'dashed' ? 1 : 2,
    ...(series.mark === 'dashed' ? { dash: [4, 4] } : {}),
    spanGaps: false,
    // A value between two gaps has no line; it gets a point. uPlot shows what a filter gives, even if `show` is false.
    points: { show: isLine, size: 5, fill: stroke, filter: () => (isLine ? isolated(series.values) : null) },
    ...(isLine ? {} : { paths: () => null }),
  };
}

function isolated(values: Series['values']): number[] {
  return values.flatMap((value, i) => (value !== null && values[i - 1] == null && values[i + 1] == null ? [i] : []));
}

/** The first two lines, the lower one first, bound a band. */
function bandsOf(chart: Chart, color: string): uPlot.Band[] {
  const lines = chart.series.flatMap((one, i) => (one.mark === 'line' ? [i + 1] : []));
  const [low, high] = lines;
  return low !== undefined && high !== undefined ? [{ series: [high, low], fill: `${color}66` }] : [];
}

function axis(color: (name: string) => string): uPlot.Axis {
  return { stroke: color('--text-soft'), font: '12px system-ui, sans-serif', ticks: { stroke: color('--line'), size: 4 } };
}

const TOKENS = [
  ...['--line', '--text', '--text-soft', '--accent', '--accent-wash'],
  ...['--tone-accent', '--tone-accent-2', '--tone-grey', '--tone-grey-2', '--tone-freeze', '--tone-bad'],
];
let resolved: { paint: number; colors: Map<string, string> } | null = null;

/** Resolves colors of the design tokens for a canvas, once for all charts of a theme. */
function tokens(paint: number): (name: string) => string {
  if (resolved?.paint !== paint) resolved = { paint, colors: resolveTokens() };
  const { colors } = resolved;
  return (name) => colors.get(name) ?? '#888888';
}

function resolveTokens(): Map<string, string> {
  const probe = document.createElement('i');
  document.body.append(probe);
  const found = TOKENS.map((name): [string, string] => {
    probe.style.color = `var(${name})`;
    return [name, hex(getComputedStyle(probe).color)];
  });
  probe.remove();
  return new Map(found);
}

function hex(color: string): string {
  const parts = color.match(/\d+/g) ?? [];
  return `#${parts.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}
