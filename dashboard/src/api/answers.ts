// Sends questions, the urgent one first. The answers to replays are remembered, so that going back and forth sends each only once.

import { textOf, type Question } from '../model/question.ts';
import { urgentFirst } from '../model/turns.ts';
import { send, sendForLines, type OnLines, type Result } from './client.ts';

const MOST = 20;
/** The other parts of a page must not look as if they hung if its first answer takes long. */
const inTurn = urgentFirst(250);
const replays = new Map<string, Result<unknown>>();

export function answerTo<T, Part>(question: Question<T, Part>, signal: AbortSignal, on: OnLines<Part> = { part: () => undefined, line: () => undefined }): Promise<Result<T>> {
  const { kind, path, body, isUrgent = false } = question;
  if (kind === 'figures') return inTurn(isUrgent, () => send<T>('GET', path, null, signal));
  if (kind === 'once') return send<T>(body === null ? 'GET' : 'POST', path, body, signal);
  return remembered(question, () => sendForLines<T, Part>(path, body, on, signal));
}

/** Another user must not see what this one asked for. */
export function forgetAnswers(): void {
  replays.clear();
}

async function remembered<T, Part>(question: Question<T, Part>, ask: () => Promise<Result<T>>): Promise<Result<T>> {
  const key = textOf(question);
  const known = replays.get(key);
  if (known) return known as Result<T>;
  const result = await ask();
  if (result.ok) replays.set(key, result);
  const oldest = replays.keys().next();
  if (replays.size > MOST && !oldest.done) replays.delete(oldest.value);
  return result;
}
