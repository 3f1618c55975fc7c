// A summary as Markdown, for a chat, a mail or an issue.

import { FIGURES } from '../api/api-types.ts';
import type { FigureName, Summary } from '../api/types.ts';
import { formatPrice } from './cost.ts';
import { formatFigure } from './figures.ts';
import { formatChange } from './numbers.ts';
import { perDay } from './per-day.ts';
import { capital } from './sentence.ts';
import { WAIT_LABELS, WAITS } from './waits.ts';

const SHOWN = ['time_in_queue_p50', 'time_in_queue_p95', 'merged_per_day', 'failure_rate', 'ci_runs_per_merge', 'ci_seconds_per_merge'] as const satisfies FigureName[];

/** The sentence about the state, the eight figures of the page “Which figure do I look at?” with their change, and a link to the page of that period. */
export function summaryText(summary: Summary, repository: string, link: string): string {
  const { start, end } = summary.window;
  const lines = [...SHOWN.map((name) => `- ${capital(wordsOf(name))}: ${valueOf(summary, name)}`), `- Waiting, mean: ${waitingOf(summary)}`, ...costOf(summary)];
  return `**${escaped(repository)}**: ${escaped(summary.state.sentence)}\n\n${lines.join('\n')}\n\n[${inUtc(start)} to ${inUtc(end)} UTC](<${link}>)\n`;
}

function wordsOf(name: FigureName): string {
  return name === 'merged_per_day' ? FIGURES.merged.words : FIGURES[name].words;
}

function valueOf({ all, window }: Summary, name: FigureName): string {
  const { value, change } = all[name];
  const [number, suffix] = name === 'merged_per_day' ? perDay(all[name], window) : [value, ''];
  const shown = [formatFigure(name, number), suffix].filter(Boolean).join(' ');
  return change === null ? shown : `${shown} (${formatChange(change, FIGURES[name].unit)})`;
}

function waitingOf(summary: Summary): string {
  return WAITS.map((wait) => `${WAIT_LABELS[wait]} ${valueOf(summary, `waiting_${wait}`)}`).join(', ');
}

/** Without prices, it has none. */
function costOf({ cost }: Summary): string[] {
  if (!cost) return [];
  const change = cost.total_change === null ? '' : ` (${formatChange(cost.total_change, 'count')})`;
  return [`- Cost of CI: ${formatPrice(cost.total, cost.currency)}${change}`];
}

/** Names of strangers stay text: no link, no picture, no mention, no line break. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>()#!|~]/g, '\\$&').replaceAll('@', '@\u200b').replaceAll(/\s+/g, ' ');
}

function inUtc(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}
