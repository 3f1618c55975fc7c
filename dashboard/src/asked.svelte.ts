// A request of a component, sent again when its dependencies change.

import { untrack } from 'svelte';
import type { Result } from './api/client.ts';

export interface Asked<T> {
  /** The latest answer; it stays while the next request is in progress. */
  readonly result: Result<T> | null;
  readonly data: T | null;
  readonly isBusy: boolean;
}

type Request<T> = (signal: AbortSignal) => Promise<Result<T>>;

/** `request` reads the state it depends on and returns the request to send, or null for none. */
export function asked<T>(request: () => Request<T> | null): Asked<T> {
  let result = $state.raw<Result<T> | null>(null);
  let isBusy = $state(true);

  $effect(() => {
    const ask = request();
    const stop = new AbortController();
    untrack(() => {
      if (ask === null) {
        result = null;
        isBusy = false;
        return;
      }
      isBusy = true;
      void ask(stop.signal).then((answer) => {
        if (stop.signal.aborted) return;
        result = answer;
        isBusy = false;
      });
    });
    return () => stop.abort();
  });

  return {
    get result() {
      return result;
    },
    get data() {
      return result?.ok ? result.data : null;
    },
    get isBusy() {
      return isBusy;
    },
  };
}
