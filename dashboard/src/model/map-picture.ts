// The map of combinations as a picture.

import { FIGURES } from '../api/api-types.ts';
import { formatDuration } from './duration.ts';
import type { Cell, HeatMap } from './forecast.ts';
import { formatValue } from './numbers.ts';
import { framed, MARGIN, WIDTH, type ColorOf, type Heading } from './picture.ts';
import { labelOf } from './settings.ts';
import { element, rectangle, text } from './svg.ts';

const [LEFT, TOP, HEIGHT, GAP, WIDEST] = [150, 128, 52, 6, 120];
/** How much of the accent color a shade has, as on the page. */
const OPACITIES = [0.04, 0.12, 0.2, 0.28, 0.36];
const CENTERED = { 'text-anchor': 'middle' };

export function mapPicture(map: HeatMap, heading: Heading, color: ColorOf): string {
  const columns = map.columns?.values ?? [1];
  const width = Math.min(WIDEST, (WIDTH - MARGIN - LEFT) / columns.length);
  const [ink, soft] = [{ fill: color('--text') }, { fill: color('--text-soft') }];
  const bottom = TOP + map.rows.values.length * HEIGHT;
  const hatch = element('path', { d: 'M0 8L8 0', stroke: color('--line-strong'), 'stroke-width': 1 });
  const content = [
    element('pattern', { id: 'hatch', width: 8, height: 8, patternUnits: 'userSpaceOnUse' }, hatch),
    text(MARGIN, TOP - 10, labelOf(map.rows.setting), soft),
    ...(map.columns ? [text(LEFT, TOP - 34, labelOf(map.columns.setting), soft)] : []),
    ...(map.columns ? columns.map((value, i) => text(LEFT + (i + 0.5) * width, TOP - 10, String(value), { ...soft, ...CENTERED })) : []),
    ...map.rows.values.map((value, i) => text(LEFT - 16, TOP + (i + 0.5) * HEIGHT + 4, String(value), { ...ink, 'text-anchor': 'end' })),
    ...map.cells.map((cell) => {
      const [x, y] = [LEFT + columns.indexOf(cell.column) * width, TOP + map.rows.values.indexOf(cell.row) * HEIGHT];
      return drawnCell(cell, x, y, width - GAP, color);
    }),
    text(MARGIN, bottom + 24, `Upper figure and shade (stronger is longer): ${FIGURES.time_to_merge_p95.short}; lower figure: CI runs per merge.`, soft),
    text(MARGIN, bottom + 44, 'Framed: no other is both faster and cheaper. Dashed: today. Hatched: beyond what was recorded.', soft),
  ];
  return framed(heading, bottom + 84, content.join(''), color);
}

function drawnCell({ combination, shade, isUnbeaten, isToday, isUnobserved }: Cell, x: number, y: number, width: number, color: ColorOf): string {
  const [height, middle] = [HEIGHT - GAP, x + width / 2];
  const frame = isUnbeaten ? { stroke: color('--accent'), 'stroke-width': 2 } : { stroke: color('--line') };
  const said = (words: string, below: number, more = {}) => text(middle, y + below, words, { fill: color('--text'), ...CENTERED, ...more });
  const figures =
    combination.state === 'computed'
      ? said(formatDuration(combination.time_to_merge_p95.value), 20, { 'font-weight': 600 }) + said(formatValue(combination.ci_runs_per_merge.value, 'ratio'), 37)
      : said(combination.state, 28, { 'font-size': 11 });
  return [
    rectangle(x, y, width, height, color('--accent'), { rx: 5, 'fill-opacity': shade === null ? 0 : (OPACITIES[shade] ?? 0), ...frame }),
    isUnobserved ? rectangle(x, y, width, height, 'url(#hatch)', { rx: 5, 'fill-opacity': 0.4 }) : '',
    isToday ? rectangle(x - 2, y - 2, width + 4, height + 4, 'none', { rx: 6, stroke: color('--text-soft'), 'stroke-width': 2, 'stroke-dasharray': '5 4' }) : '',
    figures,
  ].join('');
}
