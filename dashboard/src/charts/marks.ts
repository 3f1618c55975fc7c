// Paints what lies over or under the values of a chart: the picked interval, a band, cut values, troubles.

import type uPlot from 'uplot';
import { cutIntervals, type Band, type Chart, type Span } from '../model/chart.ts';

/** The height of the mark of a trouble, and the least width at which it is visible. */
const TROUBLE = { height: 4, width: 3 };
/** The size of the arrow over a value that the axis cuts. */
const ARROW = { width: 9, height: 6, top: 6 };

/** Behind everything: the interval whose pull requests are listed below the charts. */
export function paintPicked(plot: uPlot, { picked }: Chart, wash: string, edge: string): void {
  if (!picked) return;
  const { ctx, bbox } = plot;
  const [left, right] = edgesOnCanvas(plot, picked);
  if (right <= left) return;
  ctx.fillStyle = wash;
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.fillStyle = edge;
  for (const x of [left, right - devicePixelRatio]) ctx.fillRect(x, bbox.top, devicePixelRatio, bbox.height);
}

/** Two dashed lines with a light area between them. */
export function paintBand(plot: uPlot, band: Band | null | undefined, color: string): void {
  if (!band) return;
  const { ctx, bbox } = plot;
  const [low, high] = [plot.valToPos(band.low, 'y', true), plot.valToPos(band.high, 'y', true)];
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.fillStyle = `${color}1f`;
  ctx.fillRect(bbox.left, high, bbox.width, low - high);
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const y of new Set([low, high])) {
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/** An arrow where a value goes on above the axis. */
export function paintCuts(plot: uPlot, chart: Chart, color: string): void {
  const { ctx, bbox } = plot;
  const [width, height] = [ARROW.width * devicePixelRatio, ARROW.height * devicePixelRatio];
  const top = bbox.top + ARROW.top * devicePixelRatio;
  ctx.fillStyle = color;
  for (const i of cutIntervals(chart)) {
    const [left, right] = edgesOnCanvas(plot, chart.spans[i]!);
    const middle = (left + right) / 2;
    ctx.beginPath();
    ctx.moveTo(middle - width / 2, top + height);
    ctx.lineTo(middle + width / 2, top + height);
    ctx.lineTo(middle, top);
    ctx.fill();
  }
}

/** Mark when something was wrong with a queue, along the upper edge. */
export function paintTroubles(plot: uPlot, chart: Chart, color: string): void {
  const { ctx, bbox } = plot;
  ctx.fillStyle = color;
  for (const trouble of chart.troubles ?? []) {
    const [from, end] = edgesOnCanvas(plot, trouble);
    const to = Math.min(Math.max(end, from + TROUBLE.width * devicePixelRatio), bbox.left + bbox.width);
    if (to > from) ctx.fillRect(from, bbox.top, to - from, TROUBLE.height * devicePixelRatio);
  }
}

function edgesOnCanvas(plot: uPlot, { start, end }: Span): [left: number, right: number] {
  const { left, width } = plot.bbox;
  const within = (at: string) => Math.min(Math.max(plot.valToPos(Date.parse(at) / 1000, 'x', true), left), left + width);
  return [within(start), within(end)];
}
