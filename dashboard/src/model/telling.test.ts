import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Settings } from '../api/types.ts';
import { digestInWords, howsOf, noteOf, ownThreshold, periodsOf, replacedValue, ruleInWords, ruleOf, wanted, withoutRule, type Wish } from './telling.ts';

const settings: Settings = {
  thresholds: [{ figure: 'run_too_long', base_ref: null, queue_name: null, value: 5400, alert: true }],
  reference_periods: [],
  prices: null,
  notifications: [{ channel: '#merge-queue', rules: [] }, { channel: 'mail', rules: [] }],
};
const NOW = ['built_in', 'learned', 'set'];
const wish: Wish = { channel: '#merge-queue', what: 'alert', figure: 'no_run_started', queue: { base_ref: 'main', queue_name: 'default' }, how: 'above', value: '45m', reference: '', limit: '' };

test('a wish is a threshold and a rule of its channel', () => {
  const rule = { what: 'alert', figures: ['no_run_started'], origins: NOW, queues: ['default'] };
  assert.deepEqual(wanted(wish, settings), {
    notifications: [{ channel: '#merge-queue', rules: [rule] }, { channel: 'mail', rules: [] }],
    thresholds: [...settings.thresholds, { figure: 'no_run_started', base_ref: 'main', queue_name: 'default', value: '45m', alert: true }],
  });
});

test('the same wish twice changes nothing', () => {
  const once = { ...settings, ...(wanted(wish, settings) as Partial<Settings>) };
  assert.deepEqual(wanted(wish, once), { notifications: once.notifications, thresholds: once.thresholds });
});

test('a threshold of the same place is replaced', () => {
  const everywhere: Wish = { ...wish, figure: 'run_too_long', queue: null, value: '2h' };
  assert.deepEqual(wanted(everywhere, settings).thresholds, [{ ...settings.thresholds[0], value: '2h' }]);
});

test('removals, digests and what is usual need no threshold', () => {
  for (const other of [{ what: 'removed' }, { what: 'digest' }, { how: 'usual' }] as const) {
    assert.deepEqual(Object.keys(wanted({ ...wish, ...other }, settings)), ['notifications']);
  }
});

test('only one threshold of a figure of now is in force, and a rule about it hears each', () => {
  assert.deepEqual(ruleOf({ ...wish, how: 'usual' }, settings), { what: 'alert', figures: ['no_run_started'], origins: NOW, queues: ['default'] });
  assert.deepEqual(ruleOf({ ...wish, figure: 'failure_rate', value: '10%' }, settings).origins, ['set']);
});

test('what is usual takes the place of a value that was set there', () => {
  const everywhere: Wish = { ...wish, figure: 'run_too_long', queue: null, how: 'usual' };
  assert.equal(replacedValue(everywhere, settings), settings.thresholds[0]);
  assert.deepEqual(wanted(everywhere, settings).thresholds, []);
  assert.equal(noteOf(everywhere, settings), 'Saving deletes the value that is set now: 1h30m.');
  const inOne = { ...everywhere, queue: wish.queue };
  assert.equal(replacedValue(inOne, settings), undefined);
  assert.equal(noteOf(inOne, settings), 'A value for other queues too stays in force: a message is sent when a CI run lasts longer than 1h30m in default.');
  assert.equal(noteOf({ ...inOne, figure: 'no_run_started' }, settings), null);
  const shown = { ...settings, thresholds: [{ ...settings.thresholds[0]!, alert: false }] };
  assert.deepEqual(Object.keys(wanted(everywhere, shown)), ['notifications']);
});

test('a reference period is of one queue', () => {
  const of = (name: string, queue_name: string) => ({ name, base_ref: 'main', queue_name, start_at: '2026-03-01T00:00:00Z', end_at: '2026-04-01T00:00:00Z', limits: { failure_rate: 1.5 } });
  const pinned = { ...settings, reference_periods: [of('march', 'default'), of('quiet', 'hotfix')] };
  const march: Wish = { ...wish, figure: 'failure_rate', queue: null, how: 'reference', reference: 'march', limit: '2' };
  assert.deepEqual(periodsOf(pinned, null), pinned.reference_periods);
  assert.deepEqual(periodsOf(pinned, { base_ref: 'main', queue_name: 'hotfix' }), [pinned.reference_periods[1]]);
  assert.deepEqual(wanted(march, pinned), {
    notifications: [{ channel: '#merge-queue', rules: [{ what: 'alert', figures: ['failure_rate'], origins: ['reference'], queues: ['default'] }] }, { channel: 'mail', rules: [] }],
    reference_periods: [{ ...pinned.reference_periods[0], limits: { failure_rate: 2 } }, pinned.reference_periods[1]],
  });
});

test('a threshold goes with the last rule about it', () => {
  const rule = { what: 'alert', figures: ['run_too_long'], origins: NOW, queues: null } as never;
  const [threshold] = settings.thresholds;
  const rules = (of: Record<string, object[]>) => ({ ...settings, notifications: Object.entries(of).map(([channel, rules]) => ({ channel, rules })) }) as unknown as Settings;
  const only = rules({ mail: [rule] });
  assert.equal(ownThreshold(only, 'mail', rule, []), threshold);
  assert.deepEqual(withoutRule(only, 'mail', rule, threshold), { notifications: [{ channel: 'mail', rules: [] }], thresholds: [] });
  assert.equal(ownThreshold(rules({ mail: [rule], ops: [{ what: 'alert' }] }), 'mail', rule, []), undefined);
  assert.equal(ownThreshold(rules({ mail: [rule, { what: 'alert', figures: ['run_too_long'], origins: ['set'], queues: ['hotfix'] }] }), 'mail', rule, []), undefined);
  assert.equal(ownThreshold(rules({ mail: [rule, { what: 'alert', origins: ['reference'] }, { what: 'removed' }] }), 'mail', rule, []), threshold);
  assert.equal(ownThreshold(only, 'mail', rule, [{ what: 'alert' }]), undefined);
  const ofQueue = { what: 'alert', figures: ['run_too_long'], origins: NOW, queues: ['default'] } as never;
  assert.equal(ownThreshold(rules({ mail: [ofQueue] }), 'mail', ofQueue, []), undefined);
});

test('a rule is removed from its channel only', () => {
  const rule = { what: 'digest', figures: null, origins: null, queues: null } as const;
  const both = { ...settings, notifications: settings.notifications?.map((one) => ({ ...one, rules: [rule] })) } as unknown as Settings;
  assert.deepEqual(withoutRule(both, 'mail', rule as never, undefined).notifications?.map(({ rules }) => rules.length), [1, 0]);
});

test('what is usual can be compared with only if it is learned', () => {
  assert.deepEqual(howsOf('no_run_started', true), ['usual', 'above']);
  assert.deepEqual(howsOf('time_to_merge_p95', true), ['above', 'reference']);
  assert.deepEqual(howsOf('time_to_merge_p95', false), ['above']);
});

test('a rule about a figure of now says which threshold is in force', () => {
  const words = (figure: string, queues: string[] | null, thresholds: Settings['thresholds'] | null) => ruleInWords({ what: 'alert', figures: [figure], origins: NOW, queues }, thresholds);
  const of = (queue_name: string | null, value: number | null, alert = true) => ({ figure: 'no_run_started' as const, base_ref: queue_name && 'main', queue_name, value, alert });
  assert.equal(words('no_run_started', null, []), 'when nothing runs on the branch for 45 minutes');
  assert.equal(words('no_run_started', null, [of(null, 2700)]), 'when nothing runs on the branch for more than 45m');
  assert.equal(words('no_run_started', ['default'], [of(null, 2700), of('default', 1800)]), 'when nothing runs on the branch for more than 30m in default');
  assert.equal(words('no_run_started', ['default'], [of('hotfix', 1800)]), 'when nothing runs on the branch for 45 minutes in default');
  assert.equal(words('no_run_started', ['default'], [of('default', 1800, false)]), 'when nothing runs on the branch for 45 minutes in default');
  assert.equal(words('no_run_started', ['default'], [of('default', null)]), 'when nothing runs on the branch (switched off) in default');
  assert.equal(words('no_run_started', null, [of('hotfix', 1800)]), 'when nothing runs on the branch beyond its threshold');
  assert.equal(words('no_run_started', null, null), 'when nothing runs on the branch beyond its threshold');
});

test('rules in words', () => {
  const words = (rule: object) => ruleInWords({ what: 'alert', figures: null, origins: null, queues: null, ...rule } as never, settings.thresholds);
  assert.equal(words({}), 'when anything is beyond its threshold');
  assert.equal(words({ origins: ['learned', 'set'], queues: ['default'] }), 'when anything is beyond its threshold in default, compared with what is usual, values that were set');
  assert.equal(words({ figures: ['run_too_long'], origins: ['set'] }), 'when a CI run lasts longer than 1h30m');
  assert.equal(words({ figures: ['no_run_started'], origins: ['learned'], queues: ['hotfix'] }), 'when nothing runs on the branch for 45 minutes in hotfix');
  assert.equal(words({ figures: ['time_to_merge_p95'], origins: ['reference'] }), 'when time to merge, p95, is more than in a reference period');
  assert.equal(words({ what: 'removed', queues: ['default'] }), 'when a pull request is removed in default');
  assert.equal(words({ what: 'digest' }), 'every week, in a digest');
});

test('when a digest is sent', () => {
  assert.equal(digestInWords({}), 'Monday 9:00 UTC');
  assert.equal(digestInWords({ day: 'friday', hour: 16, time_zone: 'Europe/Berlin' }), 'Friday 16:00 Europe/Berlin');
});
