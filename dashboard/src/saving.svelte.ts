// Saving what a page already shows: whether it is saved yet, and why not.

import { change, type Result } from './api/client.ts';
import type { Problem } from './api/types.ts';

export class Saving {
  problem = $state.raw<Problem | null>(null);
  #pending = $state(0);
  #done = $state('');
  /** For the reader: empty before the first change, and if the last one failed. */
  readonly text = $derived(this.#pending > 0 ? 'Saving…' : this.#done);

  /** `done` is what the page says when the server has saved it. */
  async change<T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, done = 'Saved.'): Promise<Result<T>> {
    this.#pending++;
    const result = await change<T>(method, path, body);
    this.#pending--;
    this.problem = result.ok ? null : result.problem;
    this.#done = result.ok ? done : '';
    return result;
  }

  /** What the user wrote cannot be sent. */
  refuse(problem: Problem): void {
    this.problem = problem;
    this.#done = '';
  }
}
