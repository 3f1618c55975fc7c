import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeSteps, valueSteps } from './axis.ts';
import type { Chart } from './chart.ts';
import { chartPicture, rankedPicture } from './picture.ts';
import { escaped } from './svg.ts';

const HOSTILE = '<img src=x onerror=alert(1)>&"\u0001';
const HEADING = { title: 'Flow', note: 'per day', about: `acme/widgets, ${HOSTILE}`, source: 'Mergecast' };
const color = (token: string) => `#${token.length.toString(16).padStart(6, '0')}`;
const midnight = (day: number) => `1970-01-0${day + 1}T00:00:00Z`;
const SPANS = [0, 1, 2].map((day) => ({ start: midnight(day), end: midnight(day + 1) }));

function chart(mark: Chart['series'][number]['mark'], values: (number | null)[]): Chart {
  return { spans: SPANS, unit: 'count', series: [{ label: HOSTILE, values, mark, tone: 'accent' }] };
}

test('what is untrusted stays text', () => {
  const picture = chartPicture(chart('bar', [1, 2, 3]), HEADING, 'UTC', color);
  assert.ok(!picture.includes('<img'));
  assert.ok(picture.includes('acme/widgets, &lt;img src=x onerror=alert(1)&gt;&amp;&quot;\ufffd'));
  assert.equal(escaped('\ud83d\ude00\ud83d\uffff'), '\ud83d\ude00\ufffd\ufffd');
});

test('bars have the heights of their values', () => {
  const picture = chartPicture(chart('bar', [1, 2, 4]), HEADING, 'UTC', color);
  const heights = [...picture.matchAll(/<rect x="[\d.]+" y="[\d.]+" width="40" height="([\d.]+)"/g), ...picture.matchAll(/width="39.5" height="([\d.]+)"/g)].map((match) => Number(match[1]));
  assert.deepEqual(heights.map((height) => Math.round((height / (heights.at(-1) ?? 1)) * 4)), [1, 2, 4]);
});

test('a line has a gap where nothing is known', () => {
  const parts = (values: (number | null)[]) => {
    const picture = chartPicture(chart('line', values), HEADING, 'UTC', color);
    return [picture.match(/<polyline/g)?.length ?? 0, picture.match(/<circle/g)?.length ?? 0];
  };
  assert.deepEqual([parts([1, 2, 3]), parts([1, null, 3]), parts([null, 2, 3])], [[1, 0], [0, 2], [1, 0]]);
});

test('a threshold is a line of its own, and the legend names it', () => {
  const picture = chartPicture({ ...chart('line', [1, 2, 3]), threshold: { threshold: 2, is_exceeded: true } }, HEADING, 'UTC', color);
  assert.ok(picture.includes('stroke-dasharray="6 4"') && picture.includes('>threshold 2, exceeded</text>'));
});

test('an empty chart is still a picture', () => {
  const picture = chartPicture({ spans: [], unit: 'seconds', series: [] }, HEADING, 'UTC', color);
  assert.ok(picture.startsWith('<svg ') && !picture.includes('NaN') && !picture.includes('Infinity'));
});

test('ranked bars have a label and a value each', () => {
  const picture = rankedPicture([{ label: 'checks failed', value: 12, tone: 'bad' }], HEADING, color);
  assert.ok(picture.includes('>checks failed</text>') && picture.includes('>12</text>'));
});

test('axes have round steps', () => {
  assert.deepEqual(valueSteps(9, 'count'), [0, 5]);
  assert.deepEqual(valueSteps(7200, 'seconds'), [0, 1800, 3600, 5400, 7200]);
  const week = timeSteps(Date.parse('2026-03-02T06:00:00Z'), Date.parse('2026-03-09T06:00:00Z'), 9, 'UTC');
  assert.deepEqual([week.step, week.instants.length, new Date(week.instants[0] ?? 0).toISOString()], [86_400_000, 7, '2026-03-03T00:00:00.000Z']);
});
