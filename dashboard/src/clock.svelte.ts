// The current instant, for texts such as "4m ago"; it advances every 15 seconds.

const BEAT = 15_000;

class Clock {
  now = $state(Date.now());

  constructor() {
    setInterval(() => {
      if (document.visibilityState === 'visible') this.now = Date.now();
    }, BEAT);
  }
}

export const clock = new Clock();
