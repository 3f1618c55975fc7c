// One run at a time.

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
