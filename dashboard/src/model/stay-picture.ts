// The timeline of a stay as a picture.

import { gapsOf } from './gaps.ts';
import { cut, framed, MARGIN, WIDTH, type ColorOf, type Heading } from './picture.ts';
import { batchLetters, outcomeInWords, placeChecks, spanOf, toneOfRun, waitsInWords, type ShownStay } from './pull.ts';
import { element, rectangle, text } from './svg.ts';
import { ticksOf } from './ticks.ts';
import { formatInstant, type Zone } from './times.ts';
import { WAIT_TONES } from './waits.ts';

const [TOP, LANE, LINE] = [84, 24, 20];
const MOST_LISTED = 30;

export function stayPicture({ stay, now }: ShownStay, heading: Heading, zone: Zone, color: ColorOf): string {
  const span = spanOf(stay, now);
  const [placed, letters] = [placeChecks(stay, now), batchLetters(stay.checks)];
  const height = Math.max(1, ...placed.map((one) => one.lane + 1)) * LANE;
  const across = (share: number) => MARGIN + share * (WIDTH - 2 * MARGIN);
  const shareOf = (at: number) => (at - span.start) / Math.max(span.end - span.start, 1);
  const soft = { fill: color('--text-soft') };
  const gaps = gapsOf(stay, now);
  const bars = placed.map(({ check, from, width, lane }) => rectangle(across(from), TOP + lane * LANE + 1, across(width) - MARGIN, LANE - 4, color(`--tone-${toneOfRun(check)}`), { rx: 2 }));
  const offset = zone === 'UTC' ? 0 : -new Date(span.start).getTimezoneOffset();
  const ticks = ticksOf(span, zone, offset).map(({ at, label }) => {
    const line = element('line', { x1: across(at), x2: across(at), y1: TOP + height, y2: TOP + height + 5, stroke: color('--text-soft') });
    return line + text(across(at), TOP + height + 20, label, { ...soft, 'text-anchor': 'middle' });
  });
  const lines = [
    `${formatInstant(span.start, zone)} to ${stay.left_at === null ? 'now' : formatInstant(span.end, zone)}${stay.waiting ? ', ' : ''}${waitsInWords(stay)}`,
    ...gaps.map((gap) => `${formatInstant(gap.start, zone)}: ${gap.textWithLength}`),
    ...stay.checks.map((check) => `${letters.get(check.batch_id)}·${check.attempt} ${check.batch_id}: ${outcomeInWords(check)}`),
  ].slice(0, MOST_LISTED);
  const below = TOP + height + 48;
  const content = [
    rectangle(MARGIN, TOP, WIDTH - 2 * MARGIN, height, color('--raised')),
    ...gaps.map((gap) => rectangle(across(shareOf(gap.start)), TOP, across(shareOf(gap.end)) - across(shareOf(gap.start)), height, gap.wait ? color(`--tone-${WAIT_TONES[gap.wait]}`) : color('--raised'), { 'fill-opacity': 0.45 })),
    ...bars,
    ...placed.filter(({ width }) => width >= 0.04).map(({ check, from, lane }) => text(across(from) + 5, TOP + lane * LANE + 15, `${letters.get(check.batch_id)}·${check.attempt}`, { fill: toneOfRun(check) === 'accent-2' ? color('--text') : color('--surface'), 'font-size': 11 })),
    ...ticks,
    ...lines.map((line, i) => text(MARGIN, below + i * LINE, cut(line, 130), { fill: color(i === 0 ? '--text' : '--text-soft') })),
  ];
  return framed(heading, below + lines.length * LINE + 24, content.join(''), color);
}
