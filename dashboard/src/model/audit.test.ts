import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conclusionOf, placeOf, wordsOf, type Audit, type Finding } from './audit.ts';

const FINDING: Finding = { rule: 'groups-cancel', path: '.github/workflows/ci.yml', line: 4, certainty: 'sure', weight: 'breaks', text: 'Groups cancel each other.', repair: null, evidence: [] };
const AUDIT: Audit = { base_ref: 'main', commit: '5f7ba410bacaf6dc8eb956602904ade95b7eee5d', read_at: null, rules_known: true, groups_kept: 25, findings: [] };

test('a place is a file with its line, or all of it', () => {
  assert.equal(placeOf(FINDING), '.github/workflows/ci.yml:4');
  assert.equal(placeOf({ path: '(rules)', line: 0 }), '(rules)');
});

test('what is sure to break is named so, other weights are not', () => {
  const others: Finding[] = [{ ...FINDING, weight: 'costs' }, { ...FINDING, certainty: 'if_required' }, { ...FINDING, certainty: 'cannot_tell' }];
  assert.deepEqual([FINDING, ...others].map(wordsOf), ['Sure to break', 'Sure', 'If it is required', 'Cannot tell']);
});

test('the conclusion counts what is sure to break and what could not be told', () => {
  const findings: Finding[] = [FINDING, { ...FINDING, certainty: 'cannot_tell' }, { ...FINDING, weight: 'note' }];
  assert.equal(conclusionOf({ ...AUDIT, findings }), '`main` at `5f7ba410baca`: 1 setting is sure to break; 1 thing could not be told.');
});

test('it never says that everything is right', () => {
  assert.equal(conclusionOf({ ...AUDIT, rules_known: false }), '`main` at `5f7ba410baca`: nothing is sure to break. Which checks are required is not known.');
});
