// The thresholds that were set, as the settings show them: one table for all queues, and one for each queue.

import { FIGURES } from '../api/api-types.ts';
import type { QueueThresholds, SetThreshold, Settings } from '../api/types.ts';
import { queueLabel } from './alerts.ts';
import { formatValue } from './numbers.ts';
import { shown } from './shown.ts';
import { OFF, TOPICS, valueText } from './telling.ts';

export type Figure = SetThreshold['figure'];

export interface Scope {
  label: string;
  base_ref: string | null;
  queue_name: string | null;
}

/** Alerts about splits are those of `going_round`, but their threshold is another one. */
export const WATCHED: Readonly<Record<Figure, { words: string; example: string }>> = { ...TOPICS, splits: { words: 'a batch is split', example: '4' } };
export const FIGURE_NAMES = Object.keys(WATCHED) as Figure[];

/** All queues, each queue, and what else has a threshold, such as all queues of a branch. */
export function scopesOf(thresholds: readonly SetThreshold[], queues: readonly Pick<QueueThresholds, 'base_ref' | 'queue_name'>[]): Scope[] {
  const scopes = new Map<string, Scope>();
  for (const { base_ref = null, queue_name = null } of [{ base_ref: null, queue_name: null }, ...queues, ...thresholds]) {
    const label = labelOf(base_ref, queue_name);
    if (!scopes.has(label)) scopes.set(label, { label, base_ref, queue_name });
  }
  return [...scopes.values()];
}

function labelOf(base_ref: string | null, queue_name: string | null): string {
  if (base_ref !== null && queue_name !== null) return queueLabel({ base_ref, queue_name });
  if (base_ref !== null) return `every queue of ${shown(base_ref)}`;
  return queue_name === null ? 'all queues' : `${shown(queue_name)} on every branch`;
}

export function thresholdAt(thresholds: readonly SetThreshold[], scope: Scope, figure: Figure): SetThreshold | undefined {
  return thresholds.find((one) => isAt(one, scope, figure));
}

/** The thresholds with another one at a place; null deletes it. */
export function replaced(thresholds: readonly SetThreshold[], scope: Scope, figure: Figure, change: Pick<SetThreshold, 'value' | 'alert'> | null): SetThreshold[] {
  const others = thresholds.filter((one) => !isAt(one, scope, figure));
  return change === null ? others : [...others, { figure, base_ref: scope.base_ref, queue_name: scope.queue_name, ...change }];
}

function isAt(one: SetThreshold, { base_ref, queue_name }: Scope, figure: Figure): boolean {
  return one.figure === figure && (one.base_ref ?? null) === base_ref && (one.queue_name ?? null) === queue_name;
}

/** What a row of the table is about. */
export function nameOf(figure: Figure): string {
  const words = WATCHED[figure].words.replace(/,? (is|are)$/, '');
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

/** A learned value, no more exact than people need it. */
export function learnedText(figure: Figure, value: number | null): string {
  return formatValue(value === null ? null : +value.toPrecision(3), FIGURES[figure].unit);
}

/** What is set for a scope, in one line. */
export function setInWords(thresholds: readonly SetThreshold[], scope: Scope): string {
  const set = FIGURE_NAMES.flatMap((figure) => thresholdAt(thresholds, scope, figure) ?? []);
  return set.map((one) => `${nameOf(one.figure)}: ${valueText(one)}${one.value !== null && one.alert === false ? ', without alerts' : ''}`).join('; ');
}

/** The text of a field. */
export function fieldText(threshold: SetThreshold | undefined): string {
  return threshold === undefined ? '' : valueText(threshold);
}

/** The value of a field: empty deletes the threshold. The server reads durations and percentages. */
export function fieldValue(text: string): Pick<SetThreshold, 'value'> | null {
  const value = text.trim();
  if (value === '') return null;
  return { value: value.toLowerCase() === OFF ? null : value };
}

export function setThresholds(settings: Settings | null): readonly SetThreshold[] {
  return settings?.thresholds ?? [];
}
