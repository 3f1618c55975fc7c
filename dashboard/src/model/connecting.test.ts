import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenInAdvance, firstLines, isMoving, needOf, onlyOne, otherNameFor, QUEUES, queueNamed, returnedFrom, stateOf, titleOf } from './connecting.ts';

test('a queue is chosen by its name', () => {
  assert.deepEqual(QUEUES.map(titleOf), ['GitHub merge queue', 'GitLab merge trains', 'Mergify', 'bors-ng', 'Another queue']);
  assert.equal(queueNamed('gitlab'), 'gitlab');
  assert.equal(queueNamed('toString'), null);
  assert.equal(queueNamed(null), null);
  assert.equal(needOf('other'), 'one request per event');
});

test('a name that is not valid here gets another one', () => {
  assert.equal(otherNameFor('acme/web'), null);
  assert.equal(otherNameFor('acme'), null);
  assert.equal(otherNameFor(''), null);
  assert.equal(otherNameFor('orbit/space/lander'), 'orbit/space-lander');
  assert.equal(otherNameFor('space.group_1/web'), 'space-group-1/web');
  assert.equal(otherNameFor('acme/web@merge-helper:mergebot'), 'acme/web');
});

test('each line for a shell sends one event', () => {
  const { at, enters, leaves } = firstLines('https://mergecast.example/below/', { owner: 'acme', repository: 'web' }, 'mck_1', Date.UTC(2026, 2, 1, 9, 30));
  const [first, second, third] = enters.split(' \\\n');
  assert.equal(at, '2026-03-01T09:29:00Z');
  assert.equal(first, 'curl -H "Authorization: Bearer mck_1" -H "Content-Type: application/json"');
  assert.deepEqual(JSON.parse(second!.trim().slice(4, -1)), [
    { id: '42-entered-2026-03-01T09:29:00Z', type: 'queue_entered', at: '2026-03-01T09:29:00Z', base_ref: 'main', queue_name: 'default', session_id: 'stay-42-2026-03-01T09:29:00Z', pull_request: 42 },
  ]);
  assert.equal(third!.trim(), "'https://mergecast.example/below/v1/repos/acme/web/events'");
  assert.deepEqual(JSON.parse(leaves.split(' \\\n')[1]!.trim().slice(4, -1)), [
    { id: '42-left-2026-03-01T09:29:00Z', type: 'queue_left', at: '2026-03-01T09:30:00Z', base_ref: 'main', queue_name: 'default', session_id: 'stay-42-2026-03-01T09:29:00Z', pull_request: 42, reason: 'PR_MERGED' },
  ]);
});

test('without a new key, a line takes the key from the environment, or sends nothing', () => {
  const { enters } = firstLines('https://mergecast.example/', { owner: 'acme', repository: 'web' }, null, 0);
  assert.equal(enters.split(' \\\n')[0], 'curl -H "Authorization: Bearer ${MERGECAST_TOKEN:?must be an application key of acme}" -H "Content-Type: application/json"');
});

test('the state of a source is words, with the share of an import', () => {
  const part = { from: '', to: '', reached: '', share: 0.417 };
  assert.deepEqual(stateOf({ state: 'importing', import: part }), { text: 'importing 42%', isBad: false });
  assert.deepEqual(stateOf({ state: 'importing', import: null }), { text: 'importing', isBad: false });
  assert.deepEqual(stateOf({ state: 'failing', import: part }), { text: 'failing', isBad: true });
  assert.deepEqual([isMoving([{ state: 'current' }]), isMoving([{ state: 'current' }, { state: 'waiting' }]), isMoving([])], [false, true, false]);
});

test('the way back from GitHub ends with an app or a reason', () => {
  assert.deepEqual(returnedFrom('#app=7'), { app: '7', failure: '' });
  assert.deepEqual(returnedFrom(''), { app: null, failure: '' });
  assert.equal(returnedFrom('#failed=unavailable').failure, 'GitHub did not answer: begin again in a moment, and delete the unused app on GitHub.');
  assert.equal(returnedFrom('#failed=other').failure, 'The app could not be created: begin again.');
});

test('the only repository needs no question, and a few are chosen in advance', () => {
  const named = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `acme/${i}`, is_added: i === 0 }));
  assert.equal(onlyOne([{ name: 'acme/web', is_added: false }]), 'acme/web');
  assert.equal(onlyOne([{ name: 'acme/web', is_added: true }]), null);
  assert.equal(onlyOne(named(2)), null);
  assert.deepEqual(chosenInAdvance(named(3)), ['acme/1', 'acme/2']);
  assert.deepEqual(chosenInAdvance(named(12)), []);
});
