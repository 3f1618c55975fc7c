// What someone who types into the search box wants: a pull request, or titles with some words.

import { repositoryNamed } from './place.ts';
import type { Name } from './question.ts';

export type Wanted = { kind: 'pull'; name: Name; number: number } | { kind: 'words'; words: string } | null;

const NUMBER = /^#?(\d{1,15})$/;
const PLACE = /^([^/\s]+\/[^/\s#]+)#(\d{1,15})$/;
/** Pages of GitHub, GitLab and this dashboard. */
const PAGES = [
  /^https?:\/\/[^/]+\/([^/?#]+\/[^/?#]+)\/pull\/(\d{1,15})(?:[/?#]|$)/,
  /^https?:\/\/[^/]+\/(?:[^?#]+\/)?([^/?#]+\/[^/?#]+)\/-\/merge_requests\/(\d{1,15})(?:[/?#]|$)/,
  /^https?:\/\/[^?#]+\/r\/([^/?#]+\/[^/?#]+)\/pulls\/(\d{1,15})(?:[/?#]|$)/,
];
/** The API takes so many characters. */
const LONGEST = 255;

/** `name` is the repository of the page. */
export function wantedOf(text: string, name: Name): Wanted {
  const typed = text.trim();
  const number = NUMBER.exec(typed)?.[1];
  if (number !== undefined) return { kind: 'pull', name, number: Number(number) };
  for (const pattern of [PLACE, ...PAGES]) {
    const [, place, digits] = pattern.exec(typed) ?? [];
    const found = place === undefined ? null : repositoryNamed(place);
    if (found) return { kind: 'pull', name: found, number: Number(digits) };
  }
  return typed === '' ? null : { kind: 'words', words: typed.slice(0, LONGEST) };
}
