// What a refused request means for the fields of the form that sent it.

import type { Problem } from '../api/types.ts';
import { plural } from './numbers.ts';
import { sentence } from './sentence.ts';

/** Where a value is in a request: `/url` in the body, `name` in the path. */
export type Place = string;

export interface Refusal {
  /** The API's messages, by the field that they are about. */
  atFields: Readonly<Record<Place, string>>;
  /** Sentences about what has no field. */
  others: readonly string[];
}

/** Null if the request failed for another reason than its content. */
export function refusalOf({ errors = [], more_errors = 0 }: Problem, fields: readonly Place[], placeOf = (place: Place) => place): Refusal | null {
  if (errors.length === 0) return null;
  const found = errors.map(({ name, message }) => ({ field: fieldAt(placeOf(name), fields), name, message }));
  return {
    atFields: Object.fromEntries(found.flatMap(({ field, message }) => (field === null ? [] : [[field, message]]))),
    others: [
      ...found.filter(({ field }) => field === null).map(({ name, message }) => messageAbout(nameInWords(name), message)),
      ...(more_errors > 0 ? [`${plural(more_errors, 'more error is', 'more errors are')} not shown.`] : []),
    ],
  };
}

/** The field with this value, or with the list that contains it. */
function fieldAt(place: Place, fields: readonly Place[]): Place | null {
  return fields.find((field) => place === field || place.startsWith(`${field}/`)) ?? null;
}

const NAMES: Readonly<Record<string, string>> = {
  '': 'request', base_ref: 'branch', queue_name: 'queue', start_at: 'start of the period', end_at: 'end of the period', config_yml: 'document',
};

function nameInWords(place: Place): string {
  const name = place.split('/').at(-1) ?? '';
  return `the ${NAMES[name] ?? name.replaceAll('_', ' ')}`;
}

const CONTINUED = /^(must|is|has|takes|needs)\b/;

/** Most of the API's messages continue after the name of a value: `must begin with https://`. */
export function messageAbout(label: string, message: string): string {
  return CONTINUED.test(message) ? sentence(`${label} ${message}`) : sentence(message);
}
