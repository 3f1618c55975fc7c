// Forecasts: what the answers hold, and how they read.

import { formatChange, formatCount, type Unit } from './numbers.ts';

export interface Ranged {
  value: number | null;
  low: number | null;
  high: number | null;
}

export interface FiguresOf<T> {
  time_in_queue: { p50: T; p90: T; p95: T };
  runs_per_merge: T;
  ci_seconds_per_merge: T;
  merged_per_day: T;
  removed_by_checks: T;
}

export interface Errors {
  p50_error: number | null;
  p95_error: number | null;
  runs_error: number | null;
}

export interface Trust {
  mechanics: Errors;
  forecast: Errors;
  naive: Errors;
  grade: 'good' | 'fair' | 'poor';
}

export type Settings = Record<string, string | number | boolean | null>;

interface Common {
  base_ref: string;
  queue_name: string | null;
  window: { start_at: string; end_at: string };
  settings: {
    baseline: Record<string, Settings>;
    source_of_baseline: string;
    detected: { queues: string[]; rule: string; value: string; cases: number }[];
  };
  replicates: number;
}

export interface Forecast extends Common {
  settings: Common['settings'] & { candidate: Record<string, Settings> };
  merged: number;
  recorded: FiguresOf<number | null>;
  baseline: FiguresOf<Ranged>;
  candidate: FiguresOf<Ranged>;
  difference: FiguresOf<Ranged>;
  innocent_removals: { baseline: number | null; candidate: number | null };
  trust: Trust;
  notes: string[];
}

export type Combination = FiguresOf<Ranged> & { settings: Settings; innocent_removals: number | null };

export interface Search extends Common {
  combinations: Combination[];
  /** Places of the combinations that no other beats in both time and cost. */
  front: number[];
  best: number | null;
}

/** The sentence that comes before any figure: how far such forecasts were off on this history. */
export function gradeSentence(forecast: Forecast): string {
  const { p50_error, p95_error } = forecast.trust.forecast;
  const merges = `${formatCount(forecast.merged)} merges`;
  return `p50 ${within(p50_error)}, p95 ${within(p95_error)} on your history (${merges})`;
}

function within(error: number | null): string {
  return error === null ? 'unknown' : `±${Math.round(Math.abs(error) * 100)}%`;
}

export const GRADE_MEANINGS: Record<Trust['grade'], string> = {
  good: 'p50 was within 10% and p95 within 20% when the last weeks were forecast from those before.',
  fair: 'p50 was within 20% and p95 within 40% when the last weeks were forecast from those before.',
  poor: 'Do not decide by this: the last weeks could not be forecast from those before.',
};

export interface Row {
  label: string;
  unit: Unit;
  recorded: number | null;
  baseline: Ranged;
  candidate: Ranged;
  difference: Ranged;
}

/** Baseline beside candidate, one row per figure. */
export function rowsOf(forecast: Forecast): Row[] {
  const times = (['p50', 'p90', 'p95'] as const).map((name): Row => row(`time in queue, ${name}`, 'seconds', (of) => of.time_in_queue[name]));
  return [
    ...times,
    row('CI runs per merge', 'ratio', (of) => of.runs_per_merge),
    row('CI time per merge', 'seconds', (of) => of.ci_seconds_per_merge),
    row('merged per day', 'count', (of) => of.merged_per_day),
    row('removed by checks', 'rate', (of) => of.removed_by_checks),
  ];

  function row(label: string, unit: Unit, pick: <T>(of: FiguresOf<T>) => T): Row {
    const { recorded, baseline, candidate, difference } = forecast;
    return { label, unit, recorded: pick(recorded), baseline: pick(baseline), candidate: pick(candidate), difference: pick(difference) };
  }
}

/** `+12%`, unless the interval holds both directions. */
export function differenceText({ value, low, high }: Ranged): string {
  const isOpen = low !== null && high !== null && low < 0 && high > 0;
  return `${formatChange(value, 'count')}${isOpen ? ', may be none' : ''}`;
}

export interface Cell {
  row: number;
  column: number;
  combination: Combination;
  /** From 0, the shortest p95, to 4, the longest; one hue on a logarithmic scale. */
  shade: number;
  isUnbeaten: boolean;
  isToday: boolean;
  /** Beyond anything that the history holds. */
  isUnobserved: boolean;
}

export interface HeatMap {
  /** Batch size and parallel checks in force, which need not be on the map. */
  today: [number, number];
  rows: number[];
  columns: number[];
  cells: Cell[];
}

const SHADES = 5;
export const ROW_SETTING = 'batch_size';
export const COLUMN_SETTING = 'max_parallel_checks';

export function heatMap(search: Search): HeatMap {
  const largest = Object.values(search.settings.baseline).reduce<[number, number]>(
    ([rows, columns], one) => [Math.max(rows, Number(one[ROW_SETTING] ?? 1)), Math.max(columns, Number(one[COLUMN_SETTING] ?? 1))],
    [1, 1],
  );
  const named = search.queue_name === null ? undefined : search.settings.baseline[search.queue_name];
  const [batch, parallel] = named ? [Number(named[ROW_SETTING] ?? 1), Number(named[COLUMN_SETTING] ?? 1)] : largest;
  const lengths = search.combinations.map((one) => Math.log(one.time_in_queue.p95.value ?? NaN)).filter(Number.isFinite);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const cells = search.combinations.map((combination, i): Cell => {
    const [row, column] = [Number(combination.settings[ROW_SETTING]), Number(combination.settings[COLUMN_SETTING])];
    const share = (Math.log(combination.time_in_queue.p95.value ?? NaN) - least) / (most - least || 1);
    return {
      row,
      column,
      combination,
      shade: Number.isFinite(share) ? Math.min(SHADES - 1, Math.floor(share * SHADES)) : 0,
      isUnbeaten: search.front.includes(i),
      isToday: row === batch && column === parallel,
      isUnobserved: row > batch || column > parallel,
    };
  });
  const sorted = (values: number[]) => [...new Set(values)].sort((a, b) => a - b);
  return { today: [batch, parallel], rows: sorted(cells.map((cell) => cell.row)), columns: sorted(cells.map((cell) => cell.column)), cells };
}
