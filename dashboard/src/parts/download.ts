// Saves tables and charts as files. Loaded when something is saved for the first time.

import { csv, type Table } from '../model/csv.ts';
import { chartPicture, rankedPicture, type Heading, type Ranked } from '../model/picture.ts';
import type { Chart } from '../model/chart.ts';
import type { HeatMap } from '../model/forecast.ts';
import { mapPicture } from '../model/map-picture.ts';
import type { ShownStay } from '../model/pull.ts';
import { stayPicture } from '../model/stay-picture.ts';
import { waterfallPicture, type ShownRun } from '../model/waterfall-picture.ts';
import { dateTime, describe, fileName, zoneName, type Subject } from '../model/subject.ts';
import type { Zone } from '../model/times.ts';

/** What is saved: its title and note, what it is about, and the URL of the page that shows it. */
export interface Origin {
  title: string;
  note?: string;
  subject: Subject;
  zone: Zone;
}

export type Form = 'svg' | 'png';
export type Drawing = { chart: Chart } | { ranked: readonly Ranked[] } | { stay: ShownStay } | { map: HeatMap } | { run: ShownRun };

/** A picture has twice as many pixels as it is wide, for paper and dense screens. */
const DENSITY = 2;

export function saveTable(table: Table, { title, subject }: Origin): void {
  save(new Blob([csv(table, subject)], { type: 'text/csv' }), fileName(subject, title, 'csv'));
}

export async function saveDrawing(drawing: Drawing, origin: Origin, form: Form): Promise<void> {
  const heading = headingOf(origin);
  const picture = pictureOf(drawing, heading, origin.zone);
  const content = form === 'svg' ? new Blob([picture], { type: 'image/svg+xml' }) : await rasterized(picture);
  save(content, fileName(origin.subject, origin.title, form));
}

function pictureOf(drawing: Drawing, heading: Heading, zone: Zone): string {
  if ('chart' in drawing) return chartPicture(drawing.chart, heading, zone, lightColor);
  if ('stay' in drawing) return stayPicture(drawing.stay, heading, zone, lightColor);
  if ('run' in drawing) return waterfallPicture(drawing.run, heading, lightColor);
  return 'map' in drawing ? mapPicture(drawing.map, heading, lightColor) : rankedPicture(drawing.ranked, heading, lightColor);
}

function headingOf({ title, note = '', subject, zone }: Origin): Heading {
  const source = `Mergecast, ${decodeURI(location.href.split('#')[0] ?? '')}, ${dateTime(Date.now(), zone)} ${zoneName(zone)}`;
  return { title, note, about: describe(subject, zone), source };
}

/** The color of a design token on white paper, whatever the theme of the page is. */
function lightColor(token: string): string {
  const probe = document.createElement('i');
  probe.style.colorScheme = 'light';
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

async function rasterized(picture: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * DENSITY;
  canvas.height = image.height * DENSITY;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png');
  });
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
