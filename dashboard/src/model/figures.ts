// The figures of a summary: how they are written, and as columns of a table for a file.

import { FIGURES, SUMMARY_FIGURES } from '../api/api-types.ts';
import type { Summary } from '../api/types.ts';
import type { Table } from './csv.ts';
import { formatValue } from './numbers.ts';

export function formatFigure(name: keyof typeof FIGURES, value: number | null): string {
  return formatValue(value, FIGURES[name].unit);
}

/** In the order of the answer; what is measured in seconds says so. */
export function queuesTable(queues: Summary['queues']): Table {
  const columns = SUMMARY_FIGURES.map((name) => (FIGURES[name].unit === 'seconds' && !name.includes('seconds') ? `${name}_seconds` : name));
  const rows = queues.map((one) => [one.base_ref, one.queue_name, ...SUMMARY_FIGURES.map((name) => one[name].value)]);
  return { columns: ['base_ref', 'queue_name', ...columns], rows };
}
