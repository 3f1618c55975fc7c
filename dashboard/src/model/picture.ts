// A chart as a picture of its own, for a report: an SVG that also says what it shows, of what, when, and where it comes from.

import { valueSteps, timeSteps } from './axis.ts';
import { axisTop, filled, highest, type Chart, type Series } from './chart.ts';
import { thresholdNote } from './legend.ts';
import { formatAxis, formatValue } from './numbers.ts';
import { document, element, polyline, rectangle, text } from './svg.ts';
import { formatTick, type Zone } from './times.ts';

export interface Heading {
  title: string;
  note: string;
  /** Repository, period and filters. */
  about: string;
  /** Where the figures come from. */
  source: string;
}

/** The color of a design token, such as `--tone-accent`. */
export type ColorOf = (token: string) => string;

export const WIDTH = 960;
export const MARGIN = 24;
const PLOT = { left: 76, right: WIDTH - MARGIN, top: 112, bottom: 400 };
const HEIGHT = 468;
const LONGEST_LINE = 150;
const WIDEST_BAR = 40;

/** The width of a text of the usual size, roughly. */
const widthOf = (words: string) => words.length * 7.2;
export const cut = (line: string, most: number) => (line.length > most ? `${line.slice(0, most - 1)}…` : line);

export function chartPicture(given: Chart, heading: Heading, zone: Zone, color: ColorOf): string {
  const chart = filled(given);
  const spans = chart.spans.map((span): [number, number] => [Date.parse(span.start), Date.parse(span.end)]);
  const [start, end] = [spans[0]?.[0] ?? 0, spans.at(-1)?.[1] ?? 1];
  const top = axisTop(chart) * 1.05;
  const place: Place = {
    boxes: spans.map(([from, to]) => ({ left: across(from, start, end), right: across(to, start, end) })),
    y: (value) => PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top),
    color: (series) => color(`--tone-${series.tone}`),
  };
  const { step, instants } = timeSteps(start, end, 9, zone);
  const soft = { fill: color('--text-soft') };
  const content = [
    ...valueSteps(top, chart.unit).map((value) => {
      const line = element('line', { x1: PLOT.left, x2: PLOT.right, y1: place.y(value), y2: place.y(value), stroke: color('--line') });
      return line + text(PLOT.left - 8, place.y(value) + 4, formatAxis(value, chart.unit), { ...soft, 'text-anchor': 'end' });
    }),
    ...instants.map((at) => text(across(at, start, end), PLOT.bottom + 20, formatTick(at, step / 1000, zone), { ...soft, 'text-anchor': 'middle' })),
    // An axis that is cut shows that values go on above it.
    element('clipPath', { id: 'plot' }, rectangle(PLOT.left, PLOT.top, PLOT.right - PLOT.left, PLOT.bottom - PLOT.top + 2, 'black')),
    element('g', { 'clip-path': 'url(#plot)' }, marks(chart, place)),
    ...levelsOf(chart).map(({ at }) => {
      const ends = { x1: PLOT.left, x2: PLOT.right, y1: place.y(at), y2: place.y(at) };
      return at > top ? '' : element('line', { ...ends, stroke: color('--text'), 'stroke-dasharray': '6 4' });
    }),
    ...(chart.troubles ?? []).map((one) => {
      const left = Math.max(across(Date.parse(one.start), start, end), PLOT.left);
      const right = Math.min(Math.max(across(Date.parse(one.end), start, end), left + 3), PLOT.right);
      return rectangle(left, PLOT.top, right - left, 5, color('--tone-bad'));
    }),
    ...(chart.changes ?? []).map(({ at }) => {
      const x = across(Date.parse(at), start, end);
      return x < PLOT.left || x > PLOT.right ? '' : element('line', { x1: x, x2: x, y1: PLOT.top, y2: PLOT.bottom, stroke: color('--text') });
    }),
    legend(chart, place, color),
  ];
  return framed(heading, HEIGHT, content.join(''), color);
}

export interface Ranked {
  label: string;
  value: number;
  tone: string;
}

export function rankedPicture(rows: readonly Ranked[], heading: Heading, color: ColorOf): string {
  const [left, rowHeight, first] = [320, 30, 104];
  const most = Math.max(1, ...rows.map((one) => one.value));
  const content = rows.map(({ label, value, tone }, i) => {
    const y = first + i * rowHeight;
    const width = (value / most) * (PLOT.right - left - 70);
    return (
      text(left - 12, y + 15, cut(label, 42), { fill: color('--text'), 'text-anchor': 'end' }) +
      rectangle(left, y, width, 20, color(`--tone-${tone}`), { rx: 3 }) +
      text(left + width + 8, y + 15, formatValue(value, 'count'), { fill: color('--text') })
    );
  });
  return framed(heading, first + rows.length * rowHeight + 48, content.join(''), color);
}

export function framed({ title, note, about, source }: Heading, height: number, content: string, color: ColorOf): string {
  const soft = { fill: color('--text-soft') };
  const aside = note ? element('tspan', { 'font-size': 13, 'font-weight': 400, ...soft }, `&#8194;${escapedNote(note)}`) : '';
  const head = element('text', { x: MARGIN, y: 36, 'font-size': 20, 'font-weight': 600, fill: color('--text') }, `${escapedNote(title)}${aside}`);
  const ground = rectangle(0, 0, WIDTH, height, color('--surface'));
  const lines = text(MARGIN, 60, cut(about, LONGEST_LINE), soft) + text(MARGIN, height - 16, cut(source, LONGEST_LINE), { ...soft, 'font-size': 12 });
  return document(WIDTH, height, `${title}: ${about}`, ground + head + lines + content);
}

const escapedNote = (words: string) => text(0, 0, words).replace(/^<[^>]*>|<[^>]*>$/g, '');

/** What values are compared with, as dashed lines: a limit, or the band of another period. */
function levelsOf({ threshold, band }: Chart): { at: number; label: string }[] {
  const levels = threshold ? [{ at: threshold.threshold, label: 'threshold' }] : [];
  return band ? [...levels, { at: band.low, label: band.label }, { at: band.high, label: band.label }] : levels;
}

function marks(chart: Chart, place: Place): string {
  const above = chart.series.flatMap((one) => (isLine(one) ? lines(one, place) : one.mark === 'step' ? steps(one, place) : []));
  return [...bars(chart, place), ...stacks(chart, place), ...range(chart, place), ...band(chart, place), ...above].join('');
}

interface Place {
  boxes: readonly { left: number; right: number }[];
  y: (value: number) => number;
  color: (series: Series) => string;
}

function across(at: number, start: number, end: number): number {
  return PLOT.left + ((at - start) / (end - start)) * (PLOT.right - PLOT.left);
}

const isLine = (one: Series) => one.mark === 'line' || one.mark === 'dashed';

/** The parts of a series between gaps, as points in the middle of each interval. */
function partsOf({ values }: Series, { boxes, y }: Place): [number, number][][] {
  const parts: [number, number][][] = [];
  let current: [number, number][] | null = null;
  boxes.forEach(({ left, right }, i) => {
    const value = values[i] ?? null;
    if (value === null) {
      current = null;
      return;
    }
    if (!current) parts.push((current = []));
    current.push([(left + right) / 2, y(value)]);
  });
  return parts;
}

function lines(series: Series, place: Place): string[] {
  const color = place.color(series);
  const look = series.mark === 'dashed' ? { 'stroke-width': 1.5, 'stroke-dasharray': '4 4' } : {};
  return partsOf(series, place).map((part) => {
    const [point] = part;
    return part.length === 1 && point ? element('circle', { cx: point[0], cy: point[1], r: 3, fill: color }) : polyline(part, color, look);
  });
}

/** The first two lines, the lower one first, bound a band. */
function band(chart: Chart, place: Place): string[] {
  const [low, high] = chart.series.filter((one) => one.mark === 'line');
  if (!low || !high) return [];
  const below = partsOf({ ...low, values: low.values.map((value, i) => ((high.values[i] ?? null) === null ? null : value)) }, place);
  const above = partsOf({ ...high, values: high.values.map((value, i) => ((low.values[i] ?? null) === null ? null : value)) }, place);
  return above.map((part, i) => {
    const points = [...part, ...[...(below[i] ?? [])].reverse()].map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
    return element('polygon', { points: points.join(' '), fill: place.color(high), 'fill-opacity': 0.4 });
  });
}

function bars(chart: Chart, { boxes, y, color }: Place): string[] {
  const all = chart.series.filter((one) => one.mark === 'bar');
  return all.flatMap((one, nth) =>
    boxes.map(({ left, right }, i) => {
      const width = Math.min(((right - left) * 0.7) / all.length, WIDEST_BAR);
      const top = y(one.values[i] ?? 0);
      return rectangle((left + right) / 2 + (nth - all.length / 2) * width, top, Math.max(width - 0.5, 1), PLOT.bottom - top, color(one));
    }),
  );
}

function stacks(chart: Chart, { boxes, y, color }: Place): string[] {
  const below = boxes.map(() => 0);
  return chart.series.flatMap((one) => {
    if (one.mark !== 'stack') return [];
    return boxes.map(({ left, right }, i) => {
      const from = below[i] ?? 0;
      const to = (below[i] = from + (one.values[i] ?? 0));
      return rectangle(left, y(to), right - left + 0.3, y(from) - y(to), color(one));
    });
  });
}

function range(chart: Chart, { boxes, y, color }: Place): string[] {
  const low = chart.series.find((one) => one.mark === 'low');
  const high = chart.series.find((one) => one.mark === 'high');
  if (!low || !high) return [];
  return boxes.map(({ left, right }, i) => {
    const top = y(high.values[i] ?? 0);
    return rectangle(left, top, right - left + 0.3, y(low.values[i] ?? 0) - top, color(high), { 'fill-opacity': 0.45 });
  });
}

function steps(series: Series, { boxes, y, color }: Place): string[] {
  const parts: [number, number][][] = [];
  let current: [number, number][] | null = null;
  boxes.forEach(({ left, right }, i) => {
    const value = series.values[i] ?? null;
    if (value === null) current = null;
    else {
      if (!current) parts.push((current = []));
      current.push([left, y(value)], [right, y(value)]);
    }
  });
  return parts.map((part) => polyline(part, color(series)));
}

function legend(chart: Chart, place: Place, color: ColorOf): string {
  let x = MARGIN;
  const entries = chart.series.flatMap((one) => {
    if (one.mark === 'low') return [];
    const whole = one.whole === undefined ? '' : ` ${formatValue(one.whole, chart.unit)}`;
    const words = `${one.mark === 'high' ? 'min to max' : one.label}${whole}`;
    const isThin = isLine(one) || one.mark === 'step';
    const mark = rectangle(x, isThin ? 84 : 80, one.mark === 'dashed' ? 6 : 14, isThin ? 3 : 10, place.color(one), one.mark === 'high' ? { 'fill-opacity': 0.45 } : {});
    const entry = mark + text(x + 20, 90, words, { fill: color('--text') });
    x += 20 + widthOf(words) + 18;
    return [entry];
  });
  const levels = new Map(levelsOf(chart).map(({ label }) => [label, label === 'threshold' && chart.threshold ? thresholdNote(chart.threshold, chart.unit) : label]));
  for (const words of levels.values()) {
    const line = element('line', { x1: x, x2: x + 14, y1: 85, y2: 85, stroke: color('--text'), 'stroke-dasharray': '4 3' });
    entries.push(line + text(x + 20, 90, words, { fill: color('--text') }));
    x += 20 + widthOf(words) + 18;
  }
  if (chart.troubles?.length) entries.push(rectangle(x, 83, 14, 5, color('--tone-bad')) + text(x + 20, 90, 'alert', { fill: color('--text') }));
  if (axisTop(chart) < highest(chart)) {
    const words = `axis cut, highest ${formatValue(highest(chart), chart.unit)}`;
    entries.push(text(PLOT.right, 90, words, { fill: color('--text-soft'), 'text-anchor': 'end' }));
  }
  return entries.join('');
}
