// Forecasts as sentences, rows and cells.

import { FIGURES } from '../api/api-types.ts';
import type { Combination, Forecast, Grade, Ranged, RangedFigures, Search } from '../api/types.ts';
import { formatChange, formatValue, type Unit } from './numbers.ts';
import { AXES, inAllQueues, inWords, todayOf, type Kind } from './settings.ts';

type Trusted = { trust: Forecast['trust'] | Search['trust'] };

export const GRADE_MEANINGS: Record<Grade, string> = {
  good: 'A replay of the recorded weeks gives p50 within 10%, p95 within 20% and runs per merge within 5%.',
  fair: 'Figures are within 20% (p50), 40% (p95) and 10% (runs per merge), or the candidate goes beyond what was recorded.',
  poor: 'Do not base a decision on this: a replay does not reproduce the recorded weeks, or there is too little history to tell.',
};

const MEASURED = { difference: 'Difference', reach: 'Reach', mechanics: 'Mechanics', drift: 'Drift', back_test: 'Back-test' };

/** What the grade follows from, and how sure the rest is: a label and a sentence each. */
export function trustLines({ trust }: Trusted): [string, string][] {
  const sentences: Partial<Record<string, string>> = trust.sentences;
  return Object.entries(MEASURED).flatMap(([name, label]) => {
    const sentence = sentences[name];
    return sentence === undefined ? [] : [[label, sentence] as [string, string]];
  });
}

/** What the page begins with: what to do, what it brings, and how reliable that is. */
export interface Opening {
  act: string;
  gain: string;
  trust: string;
}

const BEST_FIRST = ['no_more_ci', 'worth_a_trial', 'half_time_to_merge_p95'] as const;

export function openingOf(search: Pick<Search, 'recommended' | 'combinations' | 'baseline' | 'merged' | 'trust' | 'settings'>): Opening {
  const { recommended, combinations, baseline, merged, trust } = search;
  const said = `Trust: ${trust.grade}, from ${formatValue(merged, 'count')} merges. ${trust.sentences.grade}`;
  const which = BEST_FIRST.find((one) => recommended[one].combination !== null);
  const found = which && combinations[recommended[which].combination ?? -1];
  if (!which || !found) return { act: "Keep today's settings.", gain: recommended.no_more_ci.sentence, trust: said };
  const change = (label: string, unit: Unit, name: 'time_to_merge_p95' | 'ci_runs_per_merge') =>
    `${label} ${formatValue(baseline[name].value, unit)} → ${formatValue(found[name].value, unit)}, ${differenceWithInterval(found.difference[name])}`;
  return {
    act: `${which === 'worth_a_trial' ? 'Try' : 'Set'} ${inWords(found.settings)}${inAllQueues(search)}.`,
    gain: `${change(FIGURES.time_to_merge_p95.short, 'seconds', 'time_to_merge_p95')}; ${change('CI runs per merge', 'ratio', 'ci_runs_per_merge')}.`,
    trust: said,
  };
}

export interface Row {
  label: string;
  unit: Unit;
  recorded: number | null;
  baseline: Ranged;
  candidate: Ranged;
  /** Relative; that of a rate is in points. */
  difference: Ranged;
}

const ROWS: readonly [string, Unit, keyof RangedFigures][] = [
  ['time to merge, p50', 'seconds', 'time_to_merge_p50'],
  ['time to merge, p90', 'seconds', 'time_to_merge_p90'],
  ['time to merge, p95', 'seconds', 'time_to_merge_p95'],
  ['CI runs per merge', 'ratio', 'ci_runs_per_merge'],
  ['CI time per merge', 'seconds', 'ci_seconds_per_merge'],
  ['merged per day', 'count', 'merged_per_day'],
  ['removed by checks', 'rate', 'removed_by_checks'],
];

/** The next two weeks: baseline beside candidate, one row per figure that is known about them. */
export function nextRows({ next_two_weeks: { baseline, candidate } }: Forecast): Omit<Row, 'recorded' | 'difference'>[] {
  return ROWS.flatMap(([label, unit, name]) =>
    name in baseline ? [{ label, unit, baseline: baseline[name as keyof typeof baseline], candidate: candidate[name as keyof typeof candidate] }] : [],
  );
}

/** Baseline beside candidate, one row per figure. */
export function rowsOf({ recorded, baseline, candidate, difference }: Forecast): Row[] {
  return ROWS.map(([label, unit, name]) => ({
    label,
    unit,
    recorded: recorded[name],
    baseline: baseline[name],
    candidate: candidate[name],
    difference: unit === 'rate' ? inPoints(difference[name], baseline[name].value) : difference[name],
  }));
}

/** From 6.5% to 7.0% is no increase by 7%. */
function inPoints(difference: Ranged, before: number | null): Ranged {
  const points = (relative: number | null) => (relative === null || before === null ? null : relative * before);
  return { value: points(difference.value), low: points(difference.low), high: points(difference.high) };
}

/** `+12%`, and of a rate `+0.5 points`; if the interval contains 0, it says so. */
export function differenceText({ unit, difference: { value, low, high } }: Pick<Row, 'unit' | 'difference'>): string {
  const isOpen = low !== null && high !== null && low < 0 && high > 0;
  return `${formatChange(value, unit)}${isOpen ? ', not significant' : ''}`;
}

export interface Cell {
  row: number;
  column: number;
  combination: Combination;
  /** From 0, the shortest p95, to 4, the longest; one hue on a logarithmic scale. Null without figures. */
  shade: number | null;
  isUnbeaten: boolean;
  isToday: boolean;
  /** Beyond anything in the history. */
  isUnobserved: boolean;
}

export interface Axis {
  setting: string;
  values: readonly number[];
}

export interface HeatMap {
  rows: Axis;
  /** A queue of GitLab has one setting, and a map one column. */
  columns: Axis | null;
  cells: Cell[];
}

const SHADES = 5;

/** The settings that a search varies, rows first; circumstances that are the same for all are left out. */
export function axesOf(vary: Readonly<Record<string, readonly unknown[]>>, kind: Kind): [Axis, Axis | null] {
  const [rows, columns] = AXES[kind].map((setting) => ({ setting, values: (vary[setting] ?? []).map(Number) }));
  return [rows ?? { setting: '', values: [] }, columns ?? null];
}

/** The combinations that are known so far; only the whole answer tells which stand out. */
export function heatMap([rows, columns]: [Axis, Axis | null], combinations: readonly Combination[], answer: Search | null): HeatMap {
  const today = answer && [rows, columns].map((axis) => (axis ? todayOf(answer, axis.setting) : 1));
  const lengths = combinations.map(shadedLength).filter(Number.isFinite);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const cells = combinations.map((combination, i): Cell => {
    const [row, column] = [rows, columns].map((axis) => (axis ? Number(combination.settings[axis.setting]) : 1)) as [number, number];
    const share = (shadedLength(combination) - least) / (most - least || 1);
    return {
      row,
      column,
      combination,
      shade: Number.isFinite(share) ? Math.min(SHADES - 1, Math.floor(share * SHADES)) : null,
      isUnbeaten: answer?.front.includes(i) ?? false,
      isToday: today !== null && row === today[0] && column === today[1],
      isUnobserved: answer !== null && combination.reach.level === 'beyond',
    };
  });
  return { rows, columns, cells };
}

function shadedLength({ state, time_to_merge_p95 }: Combination): number {
  return state === 'computed' ? Math.log(time_to_merge_p95.value ?? NaN) : NaN;
}

/** Where an interval is drawn on a scale from 0 to `most`, in percent. */
export interface Drawn {
  low: number;
  value: number;
  high: number;
}

/** Both sides of a comparison on one scale; null for what is not known. */
export function drawn(ranges: readonly Ranged[]): (Drawn | null)[] {
  const most = Math.max(...ranges.map(({ high, value }) => high ?? value ?? 0));
  const at = (value: number) => (most > 0 ? Math.max(0, Math.min(100, (value / most) * 100)) : 0);
  return ranges.map(({ low, value, high }) => (value === null ? null : { low: at(low ?? value), value: at(value), high: at(high ?? value) }));
}

/** `−12% (−20% to −4%)`. */
export function differenceWithInterval({ value, low, high }: Ranged): string {
  const shown = [value, low, high].map((bound) => formatChange(bound, 'count'));
  return low === null || high === null ? (shown[0] ?? '') : `${shown[0]} (${shown[1]} to ${shown[2]})`;
}
