// Tables of several pages for files; columns have units in their names.

import type { Check, Combination, Forecast, Queue } from '../api/types.ts';
import { COLUMNS, type CiCheck } from './ci-checks.ts';
import { columnName, type Cell, type Table } from './csv.ts';
import { rowsOf } from './forecast.ts';
import { gapsOf } from './gaps.ts';
import type { ShownStay } from './pull.ts';

/** The pull requests of a queue, in order. */
export function queueTable(queue: Queue): Table {
  const columns = ['base_ref', 'queue_name', 'position', 'pull_request', 'title', 'priority_rule_name', 'entered_at', 'waited_seconds', 'batch_id', 'expected_merge_p50', 'expected_merge_p90', 'chance'];
  const rows = queue.entries.map((one): Cell[] => [
    queue.base_ref, queue.queue_name, one.position, one.pull_request, one.title ?? null, one.priority_rule_name ?? null, one.entered_at,
    one.waited_seconds, one.batch_id ?? null, one.expected_merge?.p50 ?? null, one.expected_merge?.p90 ?? null, one.expected_merge?.chance ?? null,
  ]);
  return { columns, rows };
}

/** The CI runs of a stay. */
export function runsTable(checks: readonly Check[]): Table {
  const columns = ['batch_id', 'attempt', 'started_at', 'ended_at', 'outcome', 'pull_requests', 'failed_ci_check'];
  const rows = checks.map((one): Cell[] => [
    one.batch_id, one.attempt, one.started_at, one.ended_at, one.outcome, one.pull_requests.join(' '), one.failed_ci_check?.name ?? null,
  ]);
  return { columns, rows };
}

/** The CI checks of one run, the longest first; what a check has not reached is empty. */
export function waterfallTable(check: Check): Table {
  const columns = ['batch_id', 'attempt', 'check', 'runner', 'is_required', 'conclusion', 'queued_at', 'started_at', 'ended_at', 'waited_seconds', 'ran_seconds'];
  const between = (from: string | null, to: string | null) => (from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1000);
  const rows = check.ci_checks.map((one): Cell[] => [
    check.batch_id, check.attempt, one.name, one.runner, one.is_required, one.conclusion, one.queued_at, one.started_at, one.ended_at,
    between(one.queued_at, one.started_at), between(one.started_at, one.ended_at),
  ]);
  return { columns, rows };
}

export function ciChecksTable(checks: readonly CiCheck[]): Table {
  const columns = COLUMNS.flatMap(({ label, unit, ends }) => [label, ...(ends ? [`${label} low`, `${label} high`] : [])].map((name) => columnName(name, unit)));
  const cells = (check: CiCheck) => COLUMNS.flatMap(({ value, ends }) => [value(check), ...(ends ? [ends(check)?.low ?? null, ends(check)?.high ?? null] : [])]);
  return { columns: ['check', ...columns], rows: checks.map((check) => [check.name, ...cells(check)]) };
}

/** What was recorded, the baseline and the candidate; each figure has a unit of its own. */
export function comparisonTable(forecast: Forecast): Table {
  const kinds = ['baseline', 'candidate'] as const;
  const columns = ['figure', 'recorded', ...kinds.flatMap((kind) => [kind, `${kind}_low`, `${kind}_high`])];
  const rows = rowsOf(forecast).map((row): Cell[] => [
    columnName(row.label, row.unit), row.recorded, ...kinds.flatMap((kind) => [row[kind].value, row[kind].low, row[kind].high]),
  ]);
  return { columns, rows };
}

/** Every combination of settings; one that was not computed has no figures. */
export function combinationsTable(combinations: readonly Combination[]): Table {
  const settings = [...new Set(combinations.flatMap((one) => Object.keys(one.settings)))];
  const figures = ['time_to_merge_p95', 'ci_runs_per_merge', 'ci_per_merge'].flatMap((name) => {
    const column = name === 'ci_runs_per_merge' ? name : `${name}_seconds`;
    return [column, `${column}_low`, `${column}_high`];
  });
  const rows = combinations.map((one): Cell[] => {
    const ranged = one.state === 'computed' ? [one.time_to_merge_p95, one.ci_runs_per_merge, one.ci_seconds_per_merge] : [null, null, null];
    const set = one.settings as Record<string, Cell>;
    return [...settings.map((name) => set[name] ?? null), one.state, ...ranged.flatMap((range) => [range?.value ?? null, range?.low ?? null, range?.high ?? null])];
  });
  return { columns: [...settings, 'state', ...figures], rows };
}

/** What the line shows: the stay, its CI runs, and the gaps between them. */
export function timelineTable({ stay, now }: ShownStay): Table {
  const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');
  const row = (kind: string, what: string, start: string | null, end: string | null): Cell[] => {
    const last = end === null ? now : Date.parse(end);
    return [stay.pull_request, kind, what, start, end, start === null ? null : (last - Date.parse(start)) / 1000];
  };
  const rows = [
    row('stay', stay.reason ?? 'in the queue', stay.entered_at, stay.left_at),
    ...stay.checks.map((check) => row('ci run', `${check.batch_id}, attempt ${check.attempt}: ${check.outcome ?? 'in progress'}`, check.started_at, check.ended_at)),
    ...gapsOf(stay, now).map((gap) => row('gap', gap.text, iso(gap.start), iso(gap.end))),
  ];
  return { columns: ['pull_request', 'kind', 'what', 'start_at', 'end_at', 'length_seconds'], rows };
}
