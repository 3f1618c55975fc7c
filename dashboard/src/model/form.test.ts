import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageAbout, refusalOf } from './form.ts';

const problem = (errors?: { in: string; name: string; message: string }[], more_errors?: number) =>
  ({ type: 'about:blank', title: 'Unprocessable entity', status: 422, detail: '', ...(errors ? { errors } : {}), ...(more_errors ? { more_errors } : {}) });
const error = (name: string, message: string) => ({ in: 'body', name, message });

test('an error is shown at the field with its value, or with the list that contains it', () => {
  const refusal = refusalOf(problem([error('/url', 'must begin with https://'), error('/to/2', 'must be a string')]), ['/url', '/to', '/total']);
  assert.deepEqual(refusal, { atFields: { '/url': 'must begin with https://', '/to': 'must be a string' }, others: [] });
});

test('what has no field is said in words of its own', () => {
  const refusal = refusalOf(problem([error('/start_at', 'must be before end_at'), error('name', 'the repository has 20 reference periods')], 2), ['/start']);
  assert.deepEqual(refusal, { atFields: {}, others: ['The start of the period must be before end_at.', 'The repository has 20 reference periods.', '2 more errors are not shown.'] });
});

test('the fields of a form may have other places than its request', () => {
  const refusal = refusalOf(problem([error('/levels/run_too_long', 'must be a number')]), ['main/levels/run_too_long'], (place) => `main${place}`);
  assert.deepEqual(refusal?.atFields, { 'main/levels/run_too_long': 'must be a number' });
});

test('a request that failed for another reason is no refusal', () => {
  assert.equal(refusalOf(problem(), ['/url']), null);
});

test('a message continues after the label of its field, unless it is a sentence itself', () => {
  assert.equal(messageAbout('URL', 'must begin with https://; the operator can allow others'), 'URL must begin with https://; the operator can allow others.');
  assert.equal(messageAbout('Name', 'the repository has 20 reference periods'), 'The repository has 20 reference periods.');
});
