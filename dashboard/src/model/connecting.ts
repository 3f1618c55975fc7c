// Connecting a queue: the choices, what each needs, the line to paste, and how far an import is.

import { SOURCES } from '../api/api-types.ts';
import type { AddedSource } from '../api/types.ts';
import { formatShare } from './numbers.ts';
import { MINUTE } from './period.ts';
import { repositoryNamed } from './place.ts';
import type { Name } from './question.ts';

export type SourceName = keyof typeof SOURCES;
export type Queue = SourceName | 'other';

export const QUEUES: readonly Queue[] = ['github', 'gitlab', 'activity-log', 'bors', 'other'];

/** What a source needs: the token in words, and the page of the documentation about it. */
const TOKENS: Readonly<Record<SourceName, string>> = {
  github: 'A fine-grained token with read access to pull requests, actions, checks, commit statuses, merge queues and contents.',
  gitlab: 'An access token with the role Developer and the scope `read_api`.',
  'activity-log': 'An application key with the scope `admin`, from Settings → API keys of Mergify.',
  bors: 'A fine-grained token of GitHub with read access to contents and pull requests.',
};
const NEEDS: Readonly<Record<Queue, string>> = {
  github: 'a GitHub App, or a token',
  gitlab: 'an access token',
  'activity-log': 'an application key',
  bors: 'a token of GitHub',
  other: 'one request per event',
};

export function queueNamed(text: string | null): Queue | null {
  return QUEUES.find((one) => one === text) ?? null;
}

export function titleOf(queue: Queue): string {
  return queue === 'other' ? 'Another queue' : SOURCES[queue].queue;
}

export const needOf = (queue: Queue): string => NEEDS[queue];
export const tokenOf = (source: SourceName): string => TOKENS[source];

/** Null if the name on the platform can be the name here; otherwise the most similar one that can. */
export function otherNameFor(repository: string): string | null {
  const [place = ''] = repository.trim().split(/[@:]/);
  if (place === '' || !place.includes('/') || repositoryNamed(repository) !== null) return null;
  const [owner = '', ...rest] = place.split('/');
  return `${fitting(owner)}/${fitting(rest.join('/'))}`;
}

/** As `mergecast import` suggests names. */
function fitting(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 39) || 'x';
}

/** Lines for a shell that send a first event, pull request 42 entered the queue a minute ago, and its last: it merges now. */
export interface FirstLines {
  /** When it enters. */
  at: string;
  enters: string;
  leaves: string;
}

export function firstLines(base: string, name: Name, made: string | null, now: number): FirstLines {
  const [at, later] = [now - MINUTE, now].map((one) => new Date(one).toISOString().replace(/\.\d+Z$/, 'Z')) as [string, string];
  const key = made ?? `\${MERGECAST_TOKEN:?must be an application key of ${name.owner}}`;
  const stay = { base_ref: 'main', queue_name: 'default', session_id: `stay-42-${at}`, pull_request: 42 };
  return {
    at,
    enters: curlLine(base, name, key, { id: `42-entered-${at}`, type: 'queue_entered', at, ...stay }),
    leaves: curlLine(base, name, key, { id: `42-left-${at}`, type: 'queue_left', at: later, ...stay, reason: 'PR_MERGED' }),
  };
}

function curlLine(base: string, { owner, repository }: Name, key: string, event: object): string {
  return [
    `curl -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\`,
    `  -d '[${JSON.stringify(event)}]' \\`,
    `  '${new URL(`v1/repos/${owner}/${repository}/events`, base).href}'`,
  ].join('\n');
}

/** The state of a source in words, and if it is a bad one. */
export function stateOf(source: Pick<AddedSource, 'state' | 'import'>): { text: string; isBad: boolean } {
  const share = source.state === 'importing' && source.import ? ` ${formatShare(source.import.share)}` : '';
  return { text: `${source.state}${share}`, isBad: source.state === 'failing' };
}

/** Whether an answer soon differs, so that a page asks again. */
export function isMoving(sources: readonly Pick<AddedSource, 'state'>[]): boolean {
  return sources.some(({ state }) => state === 'waiting' || state === 'importing');
}

/** What the fragment says that the server redirects to after GitHub's pages. */
export interface Returned {
  app: string | null;
  failure: string;
}

const FAILURES = new Map([
  ['state', 'This browser did not begin to create an app, or did so more than an hour ago: begin again.'],
  ['denied', 'GitHub did not create the app: it was canceled there, or you may not create apps of this owner.'],
  ['used', 'GitHub no longer knows the new app’s code, which works once and for an hour: begin again, and delete the unused app on GitHub.'],
  ['unavailable', 'GitHub did not answer: begin again in a moment, and delete the unused app on GitHub.'],
  ['exists', 'This app is stored already: it is listed below.'],
  ['no-access', 'The credential that began to create the app was revoked: sign in again, and begin again.'],
]);

export function returnedFrom(hash: string): Returned {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const failed = fragment.get('failed');
  return { app: fragment.get('app'), failure: failed === null ? '' : (FAILURES.get(failed) ?? 'The app could not be created: begin again.') };
}

/** Of the repositories that an app can read: those that are chosen in advance, because somebody just chose them on GitHub. */
const FEW = 10;
interface Readable {
  name: string;
  is_added: boolean;
}
export function chosenInAdvance(repositories: readonly Readable[]): string[] {
  const left = repositories.filter((one) => !one.is_added).map(({ name }) => name);
  return left.length <= FEW ? left : [];
}

/** The only one that an app can read needs no question. */
export function onlyOne(repositories: readonly Readable[]): string | null {
  const [one, ...others] = repositories;
  return one && others.length === 0 && !one.is_added ? one.name : null;
}
