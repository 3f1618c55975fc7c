// The only module that sends requests. A request returns a result; expected failures are values.

import type { Line } from '../model/line.ts';
import type { Problem } from './types.ts';

/** `version` is that of what was asked for, if the server names one. */
export type Result<T> = { ok: true; data: T; version?: string | null } | { ok: false; problem: Problem };

/** Statuses of proxies and of a server that is busy or starts: the same request may succeed soon. */
const TEMPORARY = [429, 502, 503, 504];

/** The request did not reach the server. */
export function isUnreachable(result: Result<unknown>): boolean {
  return !result.ok && result.problem.status === 0;
}

export function isTemporary(result: Result<unknown>): boolean {
  return !result.ok && TEMPORARY.includes(result.problem.status);
}

let onUnreachable = (): void => undefined;

/** `listener` runs before the result of a request that did not reach the server is known to anyone else. */
export function whenUnreachable(listener: () => void): void {
  onUnreachable = listener;
}

let onRefused = (): void => undefined;

/** `listener` runs when the server refuses a request: the session may have ended. */
export function whenRefused(listener: () => void): void {
  onRefused = listener;
}

/** Change something. What pages show, they ask for with `asked`. */
export function change<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, ifMatch?: string): Promise<Result<T>> {
  // A proxy that compresses answers makes their tags weak, and no weak tag matches.
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'If-Match': ifMatch.replace(/^W\//, '') };
  return sendWith<T>(headers, method, path, body === undefined ? null : JSON.stringify(body));
}

/** Send a request to a path relative to the page's base; a body is JSON. */
export function send<T>(method: string, path: string, body: string | null, signal?: AbortSignal): Promise<Result<T>> {
  return sendWith({}, method, path, body, signal);
}

function sendWith<T>(headers: Record<string, string>, method: string, path: string, body: string | null, signal?: AbortSignal): Promise<Result<T>> {
  const init = initOf(method, 'application/json', body, signal, headers);
  return request(path, init, async (response) => (response.status === 204 ? null : await response.json()) as T);
}

/** The text of a page of this server, or null. */
export async function readPage(path: string): Promise<string | null> {
  const result = await request(path, initOf('GET', 'text/html', null), (response) => response.text());
  return result.ok ? result.data : null;
}

/** What to do with the lines before the answer. */
export interface OnLines<Part> {
  part: (part: Part) => void;
  line: (line: Line) => void;
}

/** Lines `{"line": …}` and `{"progress": …}` as they arrive, then the answer, or `{"error": …, "problem": …}`. */
export async function sendForLines<T, Part>(path: string, body: string | null, on: OnLines<Part>, signal: AbortSignal): Promise<Result<T>> {
  let problem: Problem | null = null;
  const result = await request<T>(path, initOf('POST', 'application/x-ndjson', body, signal), async (response) => {
    for await (const line of linesOf(response)) {
      const value = JSON.parse(line) as { progress: Part } | { line: Line } | { error: string; problem: Problem } | T;
      if (typeof value !== 'object' || value === null) return value;
      else if ('progress' in value) on.part(value.progress);
      else if ('line' in value) on.line(value.line);
      else if ('error' in value) problem = value.problem;
      else return value;
    }
    throw new Error('the answer broke off');
  });
  return problem === null ? result : { ok: false, problem };
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

function initOf(method: string, accepted: string, body: string | null, signal?: AbortSignal, more: Record<string, string> = {}): RequestInit {
  const headers: Record<string, string> = { ...more, Accept: accepted, ...(body === null ? {} : { 'Content-Type': 'application/json' }) };
  return { method, headers, body, credentials: 'same-origin', ...(signal ? { signal } : {}) };
}

async function request<T>(path: string, init: RequestInit, read: (response: Response) => Promise<T>): Promise<Result<T>> {
  let response: Response;
  try {
    response = await fetch(new URL(path, document.baseURI), init);
  } catch {
    if (!init.signal?.aborted) onUnreachable();
    return failure(0, 'No connection', 'the server did not respond; is it running, and is this machine online?');
  }
  if (response.status === 403) onRefused();
  try {
    if (response.ok) return { ok: true, data: await read(response), version: response.headers.get('ETag') };
    return { ok: false, problem: (await response.json()) as Problem };
  } catch {
    return failure(response.status, 'Unreadable response', `the server answered ${response.status} in an unexpected format`);
  }
}

function failure(status: number, title: string, detail: string): { ok: false; problem: Problem } {
  return { ok: false, problem: { type: 'about:blank', title, status, detail } };
}
