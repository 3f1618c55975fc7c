import { expect, test } from 'vitest';
import { lineSentence } from './line.ts';

test('a position in line is told with what is under way', () => {
  expect(lineSentence({ position: 2, under_way: 3 }, 'other forecast')).toBe('Number 2 in line; 3 other forecasts under way.');
  expect(lineSentence({ position: 1, under_way: 1 }, 'other forecast')).toBe('Number 1 in line; 1 other forecast under way.');
  expect(lineSentence({ position: 0, under_way: 2 }, 'other forecast')).toBe('It takes turns with 2 other forecasts.');
  expect(lineSentence({ position: 0, under_way: 0 }, 'other forecast')).toBe('');
});
