// The only module that sends requests. A request returns a result; expected failures are values.

import type { Answers } from './api-types.ts';
import type { Problem } from './types.ts';

export type Result<T> = { ok: true; data: T } | { ok: false; problem: Problem };

export interface Name {
  owner: string;
  repository: string;
}

const REPOSITORY = '/v1/repos/{owner}/{repository}';
type PathsOf<Method extends string> = keyof Answers extends infer Key
  ? Key extends `${Method} ${infer Path}` ? Path : never
  : never;
type Below<Path> = Path extends `${typeof REPOSITORY}${infer Rest}` ? Rest : never;
export type RepositoryPath = Below<PathsOf<'GET'>>;

/** `GET` below a repository, such as `/summary`. */
export function getOf<Path extends RepositoryPath>(
  name: Name,
  path: Path,
  query?: URLSearchParams,
  signal?: AbortSignal,
): Promise<Result<Answers[`GET ${typeof REPOSITORY}${Path}` & keyof Answers]>> {
  return send('GET', repositoryPath(name, path, query), undefined, signal);
}

export function repositoryPath({ owner, repository }: Name, path: string, query?: URLSearchParams): string {
  const asked = query?.toString();
  return `v1/repos/${owner}/${repository}${path}${asked ? `?${asked}` : ''}`;
}

/** Send a request to a path relative to the page's base. */
export function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Result<T>> {
  const init: RequestInit = { method, headers: { Accept: 'application/json' } };
  if (signal) init.signal = signal;
  return request(path, body, init, async (response) => (response.status === 204 ? null : await response.json()) as T);
}

/** The same as a report in plain text. */
export function sendForText(path: string, body: unknown): Promise<Result<string>> {
  return request(path, body, { method: 'POST', headers: { Accept: 'text/plain' } }, (response) => response.text());
}

/** Lines `{"progress": …}` as they arrive, then the answer, or `{"error": …}`. */
export async function sendForLines<T, Part>(path: string, body: unknown, onPart: (part: Part) => void, signal: AbortSignal): Promise<Result<T>> {
  let error: string | null = null;
  const result = await request<T>(path, body, { method: 'POST', headers: { Accept: 'application/x-ndjson' }, signal }, async (response) => {
    for await (const line of linesOf(response)) {
      const value = JSON.parse(line) as { progress: Part } | { error: string } | T;
      if (typeof value === 'object' && value !== null && 'progress' in value) onPart(value.progress);
      else if (typeof value === 'object' && value !== null && 'error' in value) error = value.error;
      else return value;
    }
    throw new Error('the answer broke off');
  });
  return error === null ? result : failure(422, 'Stopped', error);
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function request<T>(path: string, body: unknown, init: RequestInit, read: (response: Response) => Promise<T>): Promise<Result<T>> {
  const headers = { ...init.headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  let response: Response;
  try {
    const content = body === undefined ? null : JSON.stringify(body);
    response = await fetch(new URL(path, document.baseURI), { ...init, headers, body: content, credentials: 'same-origin' });
  } catch {
    return failure(0, 'No connection', 'the server did not respond; is it running, and is this machine online?');
  }
  try {
    if (response.ok) return { ok: true, data: await read(response) };
    return { ok: false, problem: (await response.json()) as Problem };
  } catch {
    return failure(response.status, 'Unreadable response', `the server answered ${response.status} in an unexpected format`);
  }
}

function failure(status: number, title: string, detail: string): { ok: false; problem: Problem } {
  return { ok: false, problem: { type: 'about:blank', title, status, detail } };
}
