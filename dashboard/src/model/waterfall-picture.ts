// The CI checks of a run as a picture.

import type { Check } from '../api/types.ts';
import { cut, framed, MARGIN, type ColorOf, type Heading } from './picture.ts';
import { rectangle, text } from './svg.ts';
import { waterfallOf, type Bar } from './waterfall.ts';

const [TOP, ROW, BAR] = [84, 24, 12];
/** The names end here, the bars begin and end there, and the words follow. */
const [NAMES, LEFT, RIGHT] = [280, 296, 640];
/** What fits beside the bars. */
const [LONGEST_NAME, LONGEST_WORDS] = [36, 42];

export interface ShownRun {
  check: Check;
  now: number;
}

export function waterfallPicture({ check, now }: ShownRun, heading: Heading, color: ColorOf): string {
  const rows = waterfallOf(check, now);
  const soft = { fill: color('--text-soft') };
  const drawn = ({ from, width }: Bar, y: number, height: number, tone: string) =>
    rectangle(LEFT + from * (RIGHT - LEFT), y, width * (RIGHT - LEFT), height, color(`--tone-${tone}`), { rx: 2 });
  const content = rows.map(({ execution, waited, ran, tone, words }, i) => {
    const y = TOP + i * ROW;
    return [
      text(NAMES, y + 11, cut(execution.name, LONGEST_NAME), { fill: color('--text'), 'text-anchor': 'end' }),
      rectangle(LEFT, y, RIGHT - LEFT, BAR, color('--raised'), { rx: 2 }),
      waited ? drawn(waited, y + 3, BAR - 6, 'grey') : '',
      ran ? drawn(ran, y, BAR, tone) : '',
      text(RIGHT + 12, y + 11, cut(words, LONGEST_WORDS), soft),
    ].join('');
  });
  const below = TOP + rows.length * ROW + 16;
  const note = text(MARGIN, below, `Thin and grey: waited. Thick: ran.${rest(check, rows.length)}`, soft);
  return framed(heading, below + 40, content.join('') + note, color);
}

function rest({ ci_checks_total }: Check, shown: number): string {
  return ci_checks_total > shown ? ` These are the longest ${shown} of ${ci_checks_total} CI checks.` : '';
}
