// Who is notified of what: rules of channels in words, and what the form *Tell me when…* writes into the settings.

import { FIGURES } from '../api/api-types.ts';
import type { Rule, SetThreshold, Settings, WantedSettings } from '../api/types.ts';
import { exactDuration } from './duration.ts';
import { formatValue } from './numbers.ts';
import { shown } from './shown.ts';

/** How a figure can be told about; null where it cannot. */
interface Topic {
  words: string;
  /** Against what the queue has learned. */
  usual: string | null;
  /** Against a value, which follows; null if none can be set. */
  above: string | null;
  /** An example of a value. */
  example: string;
  /** Against a reference period. */
  canCompare?: true;
}

export type FigureName = NonNullable<Rule['figures']>[number];

export const TOPICS: Readonly<Record<FigureName, Topic>> = {
  no_run_started: { words: 'nothing runs on the branch', usual: 'for 45 minutes', above: 'for more than', example: '30m' },
  nothing_merges: { words: 'nothing merges', usual: 'for 3 days', above: null, example: '' },
  run_too_long: { words: 'a CI run lasts', usual: 'longer than usual', above: 'longer than', example: '1h30m' },
  runs_slow: { words: 'CI runs are slow', usual: 'compared with what is usual', above: 'by more than so many times:', example: '1.5' },
  everyone_fails: { words: 'CI runs fail in a row', usual: 'more often than usual', above: 'at least so many times:', example: '5' },
  going_round: { words: 'a pull request fails again and again', usual: 'more often than usual', above: 'at least so many times:', example: '4' },
  forgotten: { words: 'a pull request is passed over', usual: 'more often than usual', above: 'by at least so many CI runs:', example: '20' },
  source_silent: { words: 'a source sends nothing', usual: 'for longer than usual', above: 'for more than so many hours:', example: '6' },
  time_to_merge_p95: { words: `${FIGURES.time_to_merge_p95.words}, is`, usual: null, above: 'above', example: '1h', canCompare: true },
  time_in_queue_p95: { words: `${FIGURES.time_in_queue_p95.words}, is`, usual: null, above: 'above', example: '1h' },
  failure_rate: { words: `${FIGURES.failure_rate.words} is`, usual: null, above: 'above', example: '10%', canCompare: true },
  ci_runs_per_merge: { words: `${FIGURES.ci_runs_per_merge.words} are`, usual: null, above: 'above', example: '1.5', canCompare: true },
};

export function topicOf(figure: string): Topic | undefined {
  return figure in TOPICS ? TOPICS[figure as FigureName] : undefined;
}

export type How = 'usual' | 'above' | 'reference';

/** What the form says. */
export interface Wish {
  channel: string;
  what: Rule['what'];
  /** Of an alert. */
  figure: FigureName;
  /** Null: every queue. */
  queue: { base_ref: string; queue_name: string } | null;
  how: How;
  /** As it is written. */
  value: string;
  /** The name of a reference period, and how many times its figure. */
  reference: string;
  limit: string;
}

type Queue = NonNullable<Wish['queue']>;
type Period = Settings['reference_periods'][number];

/** A figure of now has one threshold in force, of whichever origin; a rule about one origin would fall silent with another. */
const OF_NOW: NonNullable<Rule['origins']> = ['built_in', 'learned', 'set'];

function originsOf({ figure, how }: Wish): NonNullable<Rule['origins']> {
  if (how === 'reference') return ['reference'];
  return TOPICS[figure].usual === null ? ['set'] : OF_NOW;
}

export function howsOf(figure: FigureName, hasPeriods: boolean): How[] {
  const topic = TOPICS[figure];
  const hows: [How, boolean][] = [['usual', topic.usual !== null], ['above', topic.above !== null], ['reference', topic.canCompare === true && hasPeriods]];
  return hows.flatMap(([how, isPossible]) => (isPossible ? [how] : []));
}

/** The periods that a queue, or any of them, can be compared with. */
export function periodsOf(settings: Settings | null, queue: Wish['queue']): Period[] {
  const all = settings?.reference_periods ?? [];
  return queue === null ? all : all.filter((one) => one.base_ref === queue.base_ref && one.queue_name === queue.queue_name);
}

/** What is compared with a reference period is the queue of that period. */
function queueOf(wish: Wish, settings: Settings): Queue | null {
  if (wish.what !== 'alert' || wish.how !== 'reference') return wish.queue;
  return settings.reference_periods.find((one) => one.name === wish.reference) ?? wish.queue;
}

export function ruleOf(wish: Wish, settings: Settings): Rule {
  const { what, figure } = wish;
  const queue = queueOf(wish, settings);
  const queues = queue === null ? null : [queue.queue_name];
  return what === 'alert' ? { what, figures: [figure], origins: originsOf(wish), queues } : { what, figures: null, origins: null, queues: what === 'digest' ? null : queues };
}

/** The value of this place that would be in force in place of what is usual; saving deletes it. */
export function replacedValue({ what, how, figure, queue }: Wish, { thresholds }: Settings): SetThreshold | undefined {
  if (what !== 'alert' || how !== 'usual') return undefined;
  return thresholds.find((one) => isAt(one, figure, queue) && isInForce(one));
}

/** What the form says about a value that was set, where what is usual is wished for. */
export function noteOf(wish: Wish, settings: Settings): string | null {
  const { what, how, figure, queue } = wish;
  if (what !== 'alert' || how !== 'usual') return null;
  const replaced = replacedValue(wish, settings);
  const others = settings.thresholds.filter((one) => one !== replaced);
  const left = valueInForce(figure, queue && [queue.queue_name], others);
  const stays = left === 'learned' ? [] : [`A value for other queues too stays in force: a message is sent ${ruleInWords(ruleOf(wish, settings), others)}.`];
  return [...(replaced ? [`Saving deletes the value that is set now: ${valueText(replaced)}.`] : []), ...stays].join(' ') || null;
}

/** What people write instead of a value, if a figure must raise no alerts. */
export const OFF = 'off';

/** A value that was set, as people write it. */
export function valueText({ figure, value }: SetThreshold): string {
  return typeof value === 'number' ? writtenValue(figure, value) : (value ?? OFF);
}

function isAt(one: SetThreshold, figure: string, queue: Queue | null): boolean {
  return one.figure === figure && (one.base_ref ?? null) === (queue?.base_ref ?? null) && (one.queue_name ?? null) === (queue?.queue_name ?? null);
}

/** One that is only shown leaves the learned threshold as it is. */
function isInForce({ alert, value }: SetThreshold): boolean {
  return alert !== false || value === null;
}

/** The sections of the settings that a wish changes: a threshold or a limit, and the rules of its channel. */
export function wanted(wish: Wish, settings: Settings): WantedSettings {
  const rule = ruleOf(wish, settings);
  const replaced = replacedValue(wish, settings);
  const isThreshold = wish.what === 'alert' && wish.how === 'above';
  const isReference = wish.what === 'alert' && wish.how === 'reference';
  return {
    notifications: rulesOf(settings).map((one) => (one.channel === wish.channel ? { ...one, rules: withRule(one.rules, rule) } : one)),
    ...(isThreshold ? { thresholds: withThreshold(settings.thresholds, wish) } : {}),
    ...(replaced ? { thresholds: settings.thresholds.filter((one) => one !== replaced) } : {}),
    ...(isReference ? { reference_periods: settings.reference_periods.map((one) => (one.name === wish.reference ? { ...one, limits: { ...one.limits, [wish.figure]: Number(wish.limit) } } : one)) } : {}),
  };
}

export function rulesOf(settings: Settings | null): NonNullable<Settings['notifications']> {
  return settings?.notifications ?? [];
}

function withRule(rules: readonly Rule[], rule: Rule): Rule[] {
  return rules.some((one) => sameRule(one, rule)) ? [...rules] : [...rules, rule];
}

/** `threshold` goes with the rule. */
export function withoutRule(settings: Settings, channel: string, rule: Rule, threshold: SetThreshold | undefined): WantedSettings {
  return {
    notifications: rulesOf(settings).map((one) => (one.channel === channel ? { ...one, rules: one.rules.filter((other) => !sameRule(other, rule)) } : one)),
    ...(threshold ? { thresholds: settings.thresholds.filter((one) => one !== threshold) } : {}),
  };
}

/** The value that was set for exactly this rule, if no other rule tells about it; `others` are those of the owner's channels. */
export function ownThreshold(settings: Settings, channel: string, rule: Rule, others: readonly ShownRule[]): SetThreshold | undefined {
  const [figure, ...more] = rule.figures ?? [];
  const places = rule.queues ?? [null];
  if (rule.what !== 'alert' || !figure || more.length > 0 || places.length !== 1) return undefined;
  const found = settings.thresholds.filter((one) => one.figure === figure && (one.queue_name ?? null) === places[0] && one.value !== null && tellsAbout(rule, one));
  const kept = rulesOf(settings).flatMap((one) => one.rules.filter((other) => one.channel !== channel || !sameRule(other, rule)));
  const [own] = found.length === 1 ? found : [];
  return own && ![...kept, ...others].some((other) => tellsAbout(other, own)) ? own : undefined;
}

/** Whether a rule chooses alerts of a threshold. */
function tellsAbout({ what, figures, origins, queues }: ShownRule, { figure, queue_name, alert }: SetThreshold): boolean {
  const isChosen = (!figures || figures.includes(figure)) && (!origins || origins.includes('set'));
  return what === 'alert' && alert !== false && isChosen && (!queues || !queue_name || queues.includes(queue_name));
}

function sameRule(one: Rule, other: Rule): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ what, figures = null, origins = null, queues = null }: Rule): string {
  return JSON.stringify([what, figures, origins, queues]);
}

function withThreshold(thresholds: Settings['thresholds'], { figure, queue, value }: Wish): NonNullable<WantedSettings['thresholds']> {
  const others = thresholds.filter((one) => !isAt(one, figure, queue));
  return [...others, { figure, base_ref: queue?.base_ref ?? null, queue_name: queue?.queue_name ?? null, value, alert: true }];
}

/** A value in the unit of its figure. */
export function writtenValue(figure: string, value: number): string {
  const unit = FIGURES[figure as keyof typeof FIGURES]?.unit ?? 'count';
  return unit === 'seconds' ? exactDuration(value) : formatValue(value, unit);
}

/** A rule as answers have it, which may name figures that this page does not know. */
interface ShownRule {
  what: string;
  figures?: readonly string[] | null;
  origins?: readonly string[] | null;
  queues?: readonly string[] | null;
}

/** A rule of a channel, after its name; `thresholds` are null where they are not known. */
export function ruleInWords(rule: ShownRule, thresholds: readonly SetThreshold[] | null): string {
  const where = !rule.queues ? '' : ` in ${rule.queues.map(shown).join(', ')}`;
  if (rule.what === 'removed') return `when a pull request is removed${where}`;
  if (rule.what === 'digest') return 'every week, in a digest';
  const figures = !rule.figures ? 'anything is beyond its threshold' : rule.figures.map((figure) => aboutFigure(figure, rule, thresholds)).join(', or ');
  return `when ${figures}${where}${rule.figures ? '' : againstWhat(rule.origins)}`;
}

function aboutFigure(figure: string, { origins, queues }: ShownRule, thresholds: readonly SetThreshold[] | null): string {
  const topic = topicOf(figure);
  if (!topic) return figure;
  const hears = (origin: string) => !origins || (origins as readonly string[]).includes(origin);
  if (origins?.length === 1 && hears('reference')) return `${topic.words} more than in a reference period`;
  const isUsual = topic.usual !== null && hears('learned');
  const value = hears('set') && (isUsual || origins?.length === 1) ? valueInForce(figure, queues ?? null, thresholds) : 'learned';
  if (typeof value === 'number') return `${topic.words} ${topic.above} ${writtenValue(figure, value)}`;
  if (value === 'off') return `${topic.words} (switched off)`;
  return `${topic.words} ${isUsual && value === 'learned' ? topic.usual : 'beyond its threshold'}`;
}

/** The one value that holds in some queues; null where they differ, and if that is not known. */
function valueInForce(figure: string, queues: readonly string[] | null, thresholds: readonly SetThreshold[] | null): number | 'off' | 'learned' | null {
  if (thresholds === null) return null;
  const fitting = thresholds.filter((one) => one.figure === figure && isInForce(one) && (!queues || !one.queue_name || queues.includes(one.queue_name)));
  const own = queues?.length === 1 ? fitting.filter((one) => one.queue_name) : [];
  const [only, ...others] = own.length > 0 ? own : fitting;
  if (!only) return 'learned';
  const isOfAll = !only.queue_name || queues?.length === 1;
  if (others.length > 0 || !isOfAll) return null;
  return typeof only.value === 'number' ? only.value : only.value === null ? 'off' : null;
}

const ORIGIN_WORDS: Readonly<Record<string, string>> = { built_in: 'fixed rules', learned: 'what is usual', set: 'values that were set', reference: 'reference periods' };

function againstWhat(origins: ShownRule['origins']): string {
  return !origins ? '' : `, compared with ${origins.map((one) => ORIGIN_WORDS[one] ?? one).join(', ')}`;
}

export const DIGEST_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** When a digest is sent, such as `Monday 9:00 UTC`. */
export function digestInWords({ day = 'monday', hour = 9, time_zone = 'UTC' }: { day?: string; hour?: number; time_zone?: string }): string {
  return `${day[0]?.toUpperCase()}${day.slice(1)} ${hour}:00 ${time_zone}`;
}
