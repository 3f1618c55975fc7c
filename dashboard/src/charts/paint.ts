// Paints the marks that uPlot does not have on its canvas: columns, stacks, steps and ranges.

import type uPlot from 'uplot';
import type { Chart, Series } from '../model/chart.ts';

/** The share of an interval's width between paired bars. */
const FREE = 0.3;
/** The widest bar, for charts with few intervals. */
const WIDEST_BAR = 28;

type ColorOf = (series: Series) => string;
export type Edges = readonly (readonly [start: number, end: number])[];

interface Box {
  left: number;
  width: number;
}

/** Start and end of each interval, in seconds. */
export function edgesOf(chart: Chart): Edges {
  return chart.spans.map((span) => [Date.parse(span.start) / 1000, Date.parse(span.end) / 1000]);
}

/** Paint everything but lines, before uPlot paints those. */
export function paint(plot: uPlot, chart: Chart, edges: Edges, colorOf: ColorOf): void {
  const { ctx, bbox } = plot;
  const boxes = edges.map(([start, end]): Box => {
    const left = plot.valToPos(start, 'x', true);
    return { left, width: plot.valToPos(end, 'x', true) - left };
  });
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  paintBars(plot, chart, boxes, colorOf);
  paintStacks(plot, chart, boxes, colorOf);
  paintRanges(plot, chart, boxes, colorOf);
  for (const one of chart.series) if (one.mark === 'step') paintSteps(plot, one, boxes, colorOf(one));
  ctx.restore();
}

function paintBars(plot: uPlot, chart: Chart, boxes: readonly Box[], colorOf: ColorOf): void {
  const bars = chart.series.filter((one) => one.mark === 'bar');
  bars.forEach((one, place) => {
    plot.ctx.fillStyle = colorOf(one);
    boxes.forEach((box, i) => {
      const width = Math.min((box.width * (1 - FREE)) / bars.length, WIDEST_BAR * devicePixelRatio);
      const left = box.left + box.width / 2 + (place - bars.length / 2) * width;
      fill(plot, { left, width: Math.max(width - 0.5, 1) }, 0, one.values[i] ?? 0);
    });
  });
}

function paintStacks(plot: uPlot, chart: Chart, boxes: readonly Box[], colorOf: ColorOf): void {
  const below = boxes.map(() => 0);
  for (const one of chart.series) {
    if (one.mark !== 'stack') continue;
    plot.ctx.fillStyle = colorOf(one);
    boxes.forEach((box, i) => {
      const from = below[i] ?? 0;
      const to = from + (one.values[i] ?? 0);
      fill(plot, box, from, to);
      below[i] = to;
    });
  }
}

function paintRanges(plot: uPlot, chart: Chart, boxes: readonly Box[], colorOf: ColorOf): void {
  const low = chart.series.find((one) => one.mark === 'low');
  const high = chart.series.find((one) => one.mark === 'high');
  if (!low || !high) return;
  plot.ctx.globalAlpha = 0.45;
  plot.ctx.fillStyle = colorOf(high);
  boxes.forEach((box, i) => fill(plot, box, low.values[i] ?? 0, high.values[i] ?? 0));
  plot.ctx.globalAlpha = 1;
}

function paintSteps(plot: uPlot, series: Series, boxes: readonly Box[], color: string): void {
  const { ctx } = plot;
  ctx.beginPath();
  let isDown = false;
  boxes.forEach(({ left, width }, i) => {
    const value = series.values[i] ?? null;
    if (value !== null) {
      const top = plot.valToPos(value, 'y', true);
      if (isDown) ctx.lineTo(left, top);
      else ctx.moveTo(left, top);
      ctx.lineTo(left + width, top);
    }
    isDown = value !== null;
  });
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.strokeStyle = color;
  ctx.stroke();
}

function fill(plot: uPlot, box: Box, from: number, to: number): void {
  if (to <= from) return;
  const top = plot.valToPos(to, 'y', true);
  // Whole pixels, so that neighbors leave no seam.
  const left = Math.round(box.left);
  plot.ctx.fillRect(left, top, Math.round(box.left + box.width) - left, plot.valToPos(from, 'y', true) - top);
}
