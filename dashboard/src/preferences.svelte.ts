// The user's preferences in this browser: theme and time zone.

import { flushSync } from 'svelte';
import type { Zone } from './model/times.ts';

export type Theme = 'system' | 'light' | 'dark';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

class Preferences {
  theme: Theme = $state(THEMES.find((one) => one === stored('theme')) ?? 'system');
  zone: Zone = $state(stored('zone') === 'UTC' ? 'UTC' : 'local');
  /** Counts color changes, so that canvases know when to repaint. */
  paint = $state(0);
  isPrinting = $state(false);

  constructor() {
    this.#apply();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint++);
    // Paper is white. Style sheets know that, but the colors of a canvas must be painted before it is printed.
    addEventListener('beforeprint', () => {
      document.documentElement.dataset['theme'] = 'light';
      flushSync(() => {
        this.isPrinting = true;
        this.paint++;
      });
    });
    addEventListener('afterprint', () => {
      this.#apply();
      this.isPrinting = false;
      this.paint++;
    });
  }

  nextTheme(): void {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] ?? 'system';
    store('theme', this.theme);
    this.#apply();
    this.paint++;
  }

  toggleZone(): void {
    this.zone = this.zone === 'UTC' ? 'local' : 'UTC';
    store('zone', this.zone);
  }

  #apply(): void {
    if (this.theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = this.theme;
  }
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`mergecast.${name}`);
  } catch {
    return null; // A browser may forbid storage; the preference then lasts as long as the page.
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(`mergecast.${name}`, value);
  } catch {
    // As above.
  }
}

export const preferences = new Preferences();
