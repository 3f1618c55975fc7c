import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineSentence } from './line.ts';

test('a request in line shows its position and what is under way', () => {
  assert.equal(lineSentence({ position: 2, under_way: 3 }, 'other forecast'), 'Number 2 in line; 3 other forecasts under way.');
  assert.equal(lineSentence({ position: 1, under_way: 1 }, 'recommendation'), 'Number 1 in line; 1 recommendation under way.');
  assert.equal(lineSentence({ position: 0, under_way: 2 }, 'other forecast'), 'It takes turns with 2 other forecasts.');
  assert.equal(lineSentence({ position: 0, under_way: 0 }, 'other forecast'), '');
});
