// Live updates: the data version of a repository, streamed by the server to visible tabs.

import { repositoryPath, type Name } from './api/client.ts';

class Live {
  /** Increases when a repository has new data; requests that depend on it are sent again. */
  version = $state(0);
  isConnected = $state(false);
  #source: EventSource | null = null;
  #name: Name | null = null;

  constructor() {
    document.addEventListener('visibilitychange', () => this.#connect());
  }

  follow(name: Name | null): void {
    this.#name = name;
    this.#connect();
  }

  /** A browser keeps six connections to a server; a tab that is not visible holds none. */
  #connect(): void {
    this.#source?.close();
    this.#source = null;
    this.isConnected = false;
    if (this.#name === null || document.visibilityState === 'hidden') return;
    const source = new EventSource(new URL(repositoryPath(this.#name, '/live'), document.baseURI));
    source.addEventListener('open', () => (this.isConnected = true));
    source.addEventListener('error', () => (this.isConnected = false)); // The browser reconnects automatically.
    source.addEventListener('version', (event: MessageEvent<string>) => {
      this.version = (JSON.parse(event.data) as { version: number }).version;
    });
    this.#source = source;
  }
}

export const live = new Live();
