// How the marks that uPlot does not have are painted on its canvas: columns, stacks, steps and ranges.

import type uPlot from 'uplot';
import type { Chart, Series } from '../model/chart.ts';

/** What part of an interval's width paired bars leave free. */
const FREE = 0.3;

export interface Box {
  left: number;
  width: number;
}

/** Paint everything but lines, before uPlot paints those. */
export function paint(plot: uPlot, chart: Chart, colorOf: (series: Series) => string): void {
  const { ctx } = plot;
  const bars = chart.series.filter((one) => one.mark === 'bar');
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
  chart.spans.forEach((_, index) => {
    const box = boxOf(plot, chart, index);
    bars.forEach((one, place) => {
      const width = (box.width * (1 - FREE)) / bars.length;
      const left = box.left + (box.width * FREE) / 2 + place * width;
      fill(plot, { left, width: Math.max(width - 0.5, 1) }, 0, one.values[index] ?? 0, colorOf(one));
    });
    paintStack(plot, chart, index, box, colorOf);
    paintRange(plot, chart, index, box, colorOf);
  });
  for (const one of chart.series) if (one.mark === 'step') paintSteps(plot, chart, one, colorOf(one));
  ctx.restore();
}

function paintStack(plot: uPlot, chart: Chart, index: number, box: Box, colorOf: (series: Series) => string): void {
  let below = 0;
  for (const one of chart.series) {
    if (one.mark !== 'stack') continue;
    const value = one.values[index] ?? 0;
    fill(plot, box, below, below + value, colorOf(one));
    below += value;
  }
}

function paintRange(plot: uPlot, chart: Chart, index: number, box: Box, colorOf: (series: Series) => string): void {
  const low = chart.series.find((one) => one.mark === 'low');
  const high = chart.series.find((one) => one.mark === 'high');
  const [from, to] = [low?.values[index], high?.values[index]];
  if (!high || from == null || to == null) return;
  plot.ctx.globalAlpha = 0.45;
  fill(plot, box, from, to, colorOf(high));
  plot.ctx.globalAlpha = 1;
}

function paintSteps(plot: uPlot, chart: Chart, series: Series, color: string): void {
  const { ctx } = plot;
  ctx.beginPath();
  let isDown = false;
  chart.spans.forEach((_, index) => {
    const value = series.values[index];
    if (value == null) {
      isDown = false;
      return;
    }
    const { left, width } = boxOf(plot, chart, index);
    const top = plot.valToPos(value, 'y', true);
    if (isDown) ctx.lineTo(left, top);
    else ctx.moveTo(left, top);
    ctx.lineTo(left + width, top);
    isDown = true;
  });
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.strokeStyle = color;
  ctx.stroke();
}

function boxOf(plot: uPlot, chart: Chart, index: number): Box {
  const span = chart.spans[index];
  if (!span) return { left: 0, width: 0 };
  const left = plot.valToPos(Date.parse(span.start) / 1000, 'x', true);
  return { left, width: plot.valToPos(Date.parse(span.end) / 1000, 'x', true) - left };
}

function fill(plot: uPlot, box: Box, from: number, to: number, color: string): void {
  if (to <= from) return;
  const top = plot.valToPos(to, 'y', true);
  plot.ctx.fillStyle = color;
  // Whole pixels, so that neighbors leave no seam.
  const left = Math.round(box.left);
  plot.ctx.fillRect(left, top, Math.round(box.left + box.width) - left, plot.valToPos(from, 'y', true) - top);
}
