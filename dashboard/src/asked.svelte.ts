// The answer to a component's question, requested again when the question changes and when there is news.

import { untrack } from 'svelte';
import { answerTo } from './api/answers.ts';
import { isTemporary, isUnreachable, type Result } from './api/client.ts';
import type { Problem } from './api/types.ts';
import { live } from './live.svelte.ts';
import type { Line } from './model/line.ts';
import { textOf, type Asking, type Question } from './model/question.ts';
import { oneAtATime } from './model/turns.ts';

export interface Asked<T, Part = never> {
  /** The answer to the question as it is now; null while it is awaited, and if there is none. */
  readonly data: T | null;
  /** The version of the answer that a change of it names. */
  readonly version: string | null;
  /** Why there is none. */
  readonly problem: Problem | null;
  /** The last answer, even to another question: it keeps the place of the next one, and its figures must not be shown. */
  readonly latest: T | null;
  readonly isBusy: boolean;
  /** What has arrived of an answer that comes in parts. */
  readonly parts: readonly Part[];
  /** Where the question is in line, if it has to wait. */
  readonly line: Line | null;
  again(): void;
}

/** Ask again soon, as long as an answer says that the server is still at work. */
export function askedWhile<T>(asked: Asked<T>, isAtWork: (data: T) => boolean, patience = 5_000): Asked<T> {
  $effect(() => {
    if (asked.data === null || !isAtWork(asked.data)) return;
    const timer = setTimeout(() => asked.again(), patience);
    return () => clearTimeout(timer);
  });
  return asked;
}

const PATIENCE = 4_000;

/** `ask` returns a value and runs where its reads are tracked. Nothing of the component runs later. */
export function asked<T, Part = never>(ask: Asking<T, Part>): Asked<T, Part> {
  const question = $derived(ask());
  const text = $derived(question && textOf(question));
  let answer = $state.raw<{ subject: string; result: Result<T> } | null>(null);
  let parts = $state.raw<readonly Part[]>([]);
  let line = $state.raw<Line | null>(null);
  let turn = $state(0);

  const result = $derived.by(() => {
    if (answer === null || answer.subject !== question?.subject) return null;
    return isUnreachable(answer.result) && !live.isLost ? null : answer.result;
  });

  async function send(asking: Question<T, Part>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    parts = [];
    line = null;
    const found = await answerTo(asking, signal, { part: (part) => (parts = [...parts, part]), line: (place) => (line = place) });
    if (signal.aborted) return;
    line = null;
    // Figures stay while the server cannot be reached; the page says so.
    const isKept = isUnreachable(found) && answer?.result.ok && answer.subject === asking.subject;
    if (!isKept) answer = { subject: asking.subject, result: found };
    if (asking.kind === 'figures' && isTemporary(found)) {
      const timer = setTimeout(() => turn++, PATIENCE);
      signal.addEventListener('abort', () => clearTimeout(timer));
    }
  }

  $effect(() => {
    void text;
    void live.recoveries; // A request of before may never end.
    const asking = untrack(() => question);
    if (asking === null) return;
    const stop = new AbortController();
    const refresh = oneAtATime(() => send(asking, stop.signal));
    $effect(() => {
      void turn;
      if (asking.kind === 'figures') void live.revision;
      untrack(refresh);
    });
    return () => stop.abort();
  });

  return {
    get data() {
      return result?.ok ? result.data : null;
    },
    get version() {
      return result?.ok ? (result.version ?? null) : null;
    },
    get problem() {
      return result === null || result.ok ? null : result.problem;
    },
    get latest() {
      return answer?.result.ok ? answer.result.data : null;
    },
    get isBusy() {
      return question !== null && result === null;
    },
    get parts() {
      return parts;
    },
    get line() {
      return line;
    },
    again() {
      turn++;
    },
  };
}
