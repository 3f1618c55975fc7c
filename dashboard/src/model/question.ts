// What a page asks the server: a value, made where its dependencies are read. `asked` derives the request from it.

import type { Answers } from '../api/api-types.ts';
import type { Period } from './period.ts';

export interface Name {
  owner: string;
  repository: string;
}

/** `figures` change with new data; a `replay` takes long and is remembered; what is asked `once` is neither asked again nor remembered. */
type Kind = 'figures' | 'replay' | 'once';

declare const ANSWER: unique symbol;
declare const PART: unique symbol;

export interface Question<T, Part = never> {
  readonly kind: Kind;
  readonly path: string;
  readonly body: string | null;
  /** What stays the same when time passes: a window that ends now has a name, and its ends move. */
  readonly subject: string;
  /** What a page is opened for: its other questions wait for the answer. */
  readonly isUrgent?: boolean;
  /** Only types: what the answer is, and its parts that arrive before it. */
  readonly [ANSWER]?: T;
  readonly [PART]?: Part;
}

/** How a component passes its question. A function, a promise or anything else that would read state later is a type error. */
export type Asking<T, Part = never> = () => Question<T, Part> | null;

/** Parameters of a request; null leaves one out. */
export interface Parameters {
  readonly period?: Period;
  /** What the period is compared with, if the server should not choose. */
  readonly before?: Period | null;
  readonly [name: string]: string | null | Period | undefined;
}

const REPOSITORY = '/v1/repos/{owner}/{repository}';
type Get<Path extends string> = Answers[`GET ${Path}` & keyof Answers];
type PathsOf<Method extends string> = keyof Answers extends infer Key ? (Key extends `${Method} ${infer Path}` ? Path : never) : never;
type Below<Path> = Path extends `${typeof REPOSITORY}${infer Rest}` ? Rest : never;

/** `GET` of a path of the API, such as `/v1/repos`. */
export function get<Path extends PathsOf<'GET'>>(path: Path, parameters: Parameters = {}): Question<Get<Path>> {
  return figures(path.slice(1), parameters);
}

/** The same for an answer without a type in the API's description. */
export function getUntyped<T>(path: string): Question<T> {
  return figures(path.slice(1), {});
}

/** `GET` below a repository, such as `/summary`. */
export function about<Path extends Below<PathsOf<'GET'>>>(name: Name, path: Path, parameters: Parameters = {}): Question<Get<`${typeof REPOSITORY}${Path}`>> {
  return figures(repositoryPath(name, path), parameters);
}

/** The question that a page is opened for. Among ten requests at a time, the server would answer it last. */
export function urgent<T>(question: Question<T>): Question<T> {
  return { ...question, isUrgent: true };
}

/** A computation that takes long and whose answer depends on nothing but the question; parts of it may arrive while it runs. */
export function replay<T, Part = never>(name: Name, path: string, body: unknown): Question<T, Part> {
  return posted('replay', name, path, body);
}

/** What a document would do: asked with a click, because the answer changes with the pull requests. */
export function simulation<T>(name: Name, path: string, body: unknown): Question<{ details: T }> {
  return posted('once', name, `${path}?details=true`, body);
}

/** `POST` below a repository that stores nothing and takes little time. */
export function preview<Path extends Below<PathsOf<'POST'>>>(name: Name, path: Path, body: unknown): Question<Answers[`POST ${typeof REPOSITORY}${Path}` & keyof Answers]> {
  return posted('once', name, path, body);
}

/** `GET` below a repository that new data does not change. */
export function once<Path extends Below<PathsOf<'GET'>>>(name: Name, path: Path, parameters: Parameters = {}): Question<Get<`${typeof REPOSITORY}${Path}`>> {
  return { ...figures<Get<`${typeof REPOSITORY}${Path}`>>(repositoryPath(name, path), parameters), kind: 'once' };
}

/** Two questions with the same text are the same request. */
export function textOf({ path, body }: Question<unknown, unknown>): string {
  return body === null ? path : `${path} ${body}`;
}

/** Below the base of the page. */
export function repositoryPath({ owner, repository }: Name, path: string): string {
  return `v1/repos/${owner}/${repository}${path}`;
}

/** Parameters as the API reads them. */
export function queryOf({ period, before, ...others }: Parameters): string {
  const window: [string, string][] = period ? [['start_at', period.start], ['end_at', period.end]] : [];
  const compared: [string, string][] = before ? [['before_start_at', before.start], ['before_end_at', before.end]] : [];
  return new URLSearchParams([...window, ...compared, ...filtersOf(others)]).toString();
}

function filtersOf(others: Parameters): [string, string][] {
  return Object.entries(others).filter((one): one is [string, string] => typeof one[1] === 'string');
}

function figures<T>(path: string, parameters: Parameters): Question<T> {
  const { period, before, ...others } = parameters;
  const query = queryOf(parameters);
  return {
    kind: 'figures',
    path: query ? `${path}?${query}` : path,
    body: null,
    subject: JSON.stringify([path, period?.name ?? null, before?.name ?? null, filtersOf(others)]),
  };
}

function posted<T, Part>(kind: Kind, name: Name, path: string, body: unknown): Question<T, Part> {
  const question = { kind, path: repositoryPath(name, path), body: JSON.stringify(body) };
  return { ...question, subject: textOf({ ...question, subject: '' }) };
}
