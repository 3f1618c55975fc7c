import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shown } from './shown.ts';
import { describe, isolated } from './subject.ts';

test('characters that hide or reorder others are shown as their codes', () => {
  assert.equal(shown('release\u202e/2\u001b[2J\u{e0041}'), String.raw`release\u202e/2\u001b[2J\ue0041`);
  assert.equal(shown('feature/בדיקה-é-👩\u200d🚀'), 'feature/בדיקה-é-👩\u200d🚀');
});

test('a filter is described by what is shown of a name', () => {
  assert.equal(isolated('a\u202e'), '\u2068a\\u202e\u2069');
  assert.equal(describe({ repository: null, period: null, filters: { branch: 'a\u2066' } }, 'UTC'), 'branch \u2068a\\u2066\u2069');
});
