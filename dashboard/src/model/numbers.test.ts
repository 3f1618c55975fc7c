import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAxis, formatChance, formatChange, formatValue, plural } from './numbers.ts';

test('a value is written in its unit', () => {
  assert.equal(formatValue(null, 'rate'), '–');
  assert.equal(formatValue(0.0649, 'rate'), '6.5%');
  assert.equal(formatValue(0.06, 'rate'), '6.0%');
  assert.equal(formatValue(1.4444, 'ratio'), '1.44');
  assert.equal(formatValue(1.2, 'ratio'), '1.20');
  assert.equal(formatValue(38.571, 'count'), '39');
  assert.equal(formatValue(2377, 'count'), '2,377');
  assert.equal(formatValue(6720, 'seconds'), '1h52m');
});

test('a chance is no more exact than it is', () => {
  assert.deepEqual([0.01, 0.57, 0.96, 0.98].map(formatChance), ['below 5 %', 'about 55 %', 'about 95 %', 'above 95 %']);
});

test('an axis has round numbers', () => {
  assert.deepEqual([formatAxis(64_800, 'seconds'), formatAxis(5400, 'seconds'), formatAxis(0.1, 'rate'), formatAxis(0, 'seconds')], ['18h', '1h30m', '10%', '0s']);
});

test('a change has a sign, and that of a rate is in points', () => {
  assert.equal(formatChange(0.2617, 'seconds'), '+26%');
  assert.equal(formatChange(-0.28, 'count'), '−28%');
  assert.equal(formatChange(0.001, 'count'), '±0%');
  assert.equal(formatChange(0.0115, 'rate'), '+1.2 points');
  assert.equal(formatChange(-0.0097, 'rate'), '−1 point');
  assert.equal(formatChange(null, 'rate'), '');
});

test('a noun agrees with its number', () => {
  assert.equal(plural(1, 'stay'), '1 stay');
  assert.equal(plural(0, 'stay'), '0 stays');
  assert.equal(plural(2, 'batch', 'batches'), '2 batches');
  assert.equal(plural(1.04, 'day'), '1 day');
  assert.equal(plural(8.5, 'hour'), '8.5 hours');
});
