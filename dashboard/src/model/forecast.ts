// Forecasts as sentences, rows and cells.

import type { Combination, Forecast, Grade, QueueSettings, Ranged, RangedFigures, Search } from '../api/types.ts';
import { formatChange, formatCount, type Unit } from './numbers.ts';

type Trusted = { merged: number; trust: Forecast['trust'] | Search['trust'] };

/** The sentence before any figure: how well a replay reproduces this history. */
export function gradeSentence(forecast: Trusted): string {
  const { p50_error, p95_error } = forecast.trust.mechanics;
  const merges = `${formatCount(forecast.merged)} merges`;
  return `p50 ${within(p50_error)}, p95 ${within(p95_error)} on your history (${merges})`;
}

function within(error: number | null): string {
  return error === null ? 'unknown' : `±${Math.round(Math.abs(error) * 100)}%`;
}

export const GRADE_MEANINGS: Record<Grade, string> = {
  good: 'A replay of the recorded weeks gives p50 within 10%, p95 within 20% and runs per merge within 5%.',
  fair: 'Figures are within 20% (p50), 40% (p95) and 10% (runs per merge), or the candidate goes beyond what was recorded.',
  poor: 'Do not base a decision on this: a replay does not reproduce the recorded weeks, or the history cannot tell.',
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

export interface Row {
  label: string;
  unit: Unit;
  recorded: number | null;
  baseline: Ranged;
  candidate: Ranged;
  difference: Ranged;
}

type TimeName = keyof RangedFigures['time_in_queue'];
type FigureName = TimeName | Exclude<keyof RangedFigures, 'time_in_queue'>;

const ROWS: readonly [string, Unit, FigureName][] = [
  ['time in queue, p50', 'seconds', 'p50'],
  ['time in queue, p90', 'seconds', 'p90'],
  ['time in queue, p95', 'seconds', 'p95'],
  ['CI runs per merge', 'ratio', 'runs_per_merge'],
  ['CI time per merge', 'seconds', 'ci_seconds_per_merge'],
  ['merged per day', 'count', 'merged_per_day'],
  ['removed by checks', 'rate', 'removed_by_checks'],
];

/** Baseline beside candidate, one row per figure. */
export function rowsOf(forecast: Forecast): Row[] {
  const flat = (of: RangedFigures) => ({ ...of, ...of.time_in_queue });
  const recorded = { ...forecast.recorded, ...forecast.recorded.time_in_queue };
  const [baseline, candidate, difference] = [flat(forecast.baseline), flat(forecast.candidate), flat(forecast.difference)];
  return ROWS.map(([label, unit, name]) => ({
    label,
    unit,
    recorded: recorded[name],
    baseline: baseline[name],
    candidate: candidate[name],
    difference: difference[name],
  }));
}

/** `+12%`; if the interval contains 0, it says so. */
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
  /** Beyond anything in the history. */
  isUnobserved: boolean;
}

export interface HeatMap {
  /** The current batch size and parallel checks, which need not be on the map; null until the whole answer is known. */
  today: [number, number] | null;
  cells: Cell[];
}

const SHADES = 5;
export const ROW_SETTING = 'batch_size';
export const COLUMN_SETTING = 'max_parallel_checks';

/** The combinations that are known so far; only the whole answer tells which stand out. */
export function heatMap(combinations: readonly Combination[], answer: Search | null): HeatMap {
  const today = answer && inForce(answer);
  const [batch, parallel] = today ?? [Infinity, Infinity];
  const lengths = combinations.map((one) => Math.log(one.time_in_queue.p95.value ?? NaN)).filter(Number.isFinite);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const cells = combinations.map((combination, i): Cell => {
    const [row, column] = [Number(combination.settings[ROW_SETTING]), Number(combination.settings[COLUMN_SETTING])];
    const share = (Math.log(combination.time_in_queue.p95.value ?? NaN) - least) / (most - least || 1);
    return {
      row,
      column,
      combination,
      shade: Number.isFinite(share) ? Math.min(SHADES - 1, Math.floor(share * SHADES)) : 0,
      isUnbeaten: answer?.front.includes(i) ?? false,
      isToday: row === batch && column === parallel,
      isUnobserved: answer !== null && combination.reach.level === 'beyond',
    };
  });
  return { today, cells };
}

/** Batch size and parallel checks of the requested queue, or the largest of all queues. */
function inForce({ queue_name, settings }: Search): [number, number] {
  const named = queue_name === null ? undefined : settings.baseline[queue_name];
  const queues = named ? [named] : Object.values(settings.baseline);
  return [Math.max(1, ...queues.map(batchSize)), Math.max(1, ...queues.map(parallelChecks))];
}

function batchSize(queue: QueueSettings): number {
  if (queue.kind !== 'mergify') return 1;
  return typeof queue.batch_size === 'number' ? queue.batch_size : queue.batch_size.max;
}

function parallelChecks(queue: QueueSettings): number {
  if (queue.kind === 'mergify') return queue.max_parallel_checks;
  return queue.kind === 'github' ? queue.max_entries_to_build : queue.parallel_pipelines;
}
