// Caches the answers to costly requests, so that going back and forth sends each only once.

import { send, sendForLines, type Result } from './client.ts';

const MOST = 20;
const answers = new Map<string, Result<unknown>>();

export function sendOnce<T>(path: string, body: unknown, signal: AbortSignal): Promise<Result<T>> {
  return remembered(path, body, () => send<T>('POST', path, body, signal));
}

/** The same for an answer that is preceded by its parts; a remembered answer comes without them. */
export function sendForLinesOnce<T, Part>(path: string, body: unknown, onPart: (part: Part) => void, signal: AbortSignal): Promise<Result<T>> {
  return remembered(path, body, () => sendForLines<T, Part>(path, body, onPart, signal));
}

async function remembered<T>(path: string, body: unknown, ask: () => Promise<Result<T>>): Promise<Result<T>> {
  const key = `${path} ${JSON.stringify(body)}`;
  const known = answers.get(key);
  if (known) return known as Result<T>;
  const result = await ask();
  if (result.ok) answers.set(key, result);
  const oldest = answers.keys().next();
  if (answers.size > MOST && !oldest.done) answers.delete(oldest.value);
  return result;
}
