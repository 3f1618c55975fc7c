// The legend of a chart. Every text has the room of its widest form, so that nothing moves while the crosshair does.

import { axisTop, cutIntervals, highest, type Chart, type Mark, type Threshold, type Tone } from './chart.ts';
import { formatValue, type Unit } from './numbers.ts';

export interface Entry {
  label: string;
  mark: Mark;
  tone: Tone;
  /** At the crosshair, or of the whole window; empty without one. */
  value: string;
  /** The forms of all its values. */
  forms: string[];
}

export function legendOf(chart: Chart, index: number | null): Entry[] {
  const low = chart.series.find((one) => one.mark === 'low');
  return chart.series.flatMap((one): Entry[] => {
    if (one.mark === 'low') return [];
    const isRange = one.mark === 'high' && low !== undefined;
    const shown = (i: number) =>
      isRange ? `${formatValue(low.values[i] ?? null, chart.unit)} – ${formatValue(one.values[i] ?? null, chart.unit)}` : formatValue(one.values[i] ?? null, chart.unit);
    const whole = one.whole === undefined ? '' : formatValue(one.whole, chart.unit);
    return [
      {
        label: isRange ? 'min to max' : one.label,
        mark: one.mark,
        tone: one.tone,
        value: index === null ? whole : shown(index),
        forms: formsOf([whole, ...chart.spans.map((_, i) => shown(i))]),
      },
    ];
  });
}

/** What the axis cuts off, in words; empty if that is nothing. */
export function cutNote(chart: Chart): string {
  const cut = cutIntervals(chart).length;
  if (cut === 0) return '';
  return `axis ends at ${formatValue(axisTop(chart), chart.unit)}, highest ${formatValue(highest(chart), chart.unit)}`;
}

export function bandNote({ band, unit }: Chart): string {
  if (!band) return '';
  const levels = band.low === band.high ? formatValue(band.high, unit) : `${formatValue(band.low, unit)} – ${formatValue(band.high, unit)}`;
  return `${band.label} ${levels}`;
}

/** A threshold, and whether it is exceeded. */
export function thresholdNote({ threshold, is_exceeded }: Threshold, unit: Unit): string {
  return `threshold ${formatValue(threshold, unit)}${is_exceeded ? ', exceeded' : ''}`;
}

/** All digits are equally wide, so texts that differ only in digits need the same room. */
export function formsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.replaceAll(/\d/g, '0')))];
}
