// Which of several runs goes first.

/** A call during a run makes one more run after it, however many calls there were: a run is never cut off by the next one. */
export function oneAtATime(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  return function call(): void {
    isWanted = true;
    if (!isRunning) void runAll();
  };

  async function runAll(): Promise<void> {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await run();
    }
    isRunning = false;
  }
}

/** Lets what is urgent go first: the rest waits until it has ended, but at most `patience` milliseconds. */
export function urgentFirst(patience: number): <T>(isUrgent: boolean, run: () => Promise<T>) => Promise<T> {
  let urgent: Promise<unknown> = Promise.resolve();
  return async (isUrgent, run) => {
    if (isUrgent) {
      const running = run();
      let limit: ReturnType<typeof setTimeout>;
      const tooLong = new Promise((resolve) => (limit = setTimeout(resolve, patience)));
      urgent = Promise.race([running, tooLong]).finally(() => clearTimeout(limit));
      return running;
    }
    // Components ask one after the other: what is urgent may come last.
    await Promise.resolve();
    await urgent;
    return run();
  };
}
