// Whether the server can be reached, and news from it: when pages must ask again.

import { whenUnreachable } from './api/client.ts';
import { repositoryPath, type Name } from './model/question.ts';
import { session } from './session.svelte.ts';
import { listen } from './stream.ts';

/** A lost server is tried again this often, and so is a stream that broke off. */
const PATIENCE = 2_500;
/** A stream that the server refuses, for example because the repository has no events yet. */
const PATIENCE_IF_REFUSED = 30_000;
/** A window that ends now moves on without news, too. */
const MINUTE = 60_000;
const PROBE_LIMIT = 10_000;

class Live {
  /** Increases when answers may have changed. */
  revision = $state(0);
  /** When that was. */
  at = $state(Date.now());
  /** The server could not be reached. Increasing `recoveries` tells that it can be again. */
  isLost = $state(false);
  recoveries = $state(0);
  #isOpen = $state(false);
  readonly isConnected = $derived(this.#isOpen && !this.isLost);

  #stop: (() => void) | null = null;
  #name: Name | null = null;
  /** What the stream last announced, and whether pages loaded their figures when it began. */
  #version: string | null = null;
  #isAsLoaded = false;
  /** That of the first answers: something may have arrived between them and the beginning of the stream. */
  #loadedVersion: number | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    whenUnreachable(() => this.#lose());
    document.addEventListener('visibilitychange', () => {
      if (isVisible()) this.#renew();
      this.#connect();
    });
    setInterval(() => {
      if (isVisible() && !this.isLost) this.#renew();
    }, MINUTE);
  }

  /** Listen to the stream of a repository, which announces new data. */
  follow(name: Name | null): void {
    this.#name = name;
    this.#version = null;
    this.#isAsLoaded = true;
    this.#loadedVersion = null;
    this.#connect();
  }

  /** The first answers about a repository are of this version. */
  loaded(version: number): void {
    if (this.#loadedVersion !== null) return;
    this.#loadedVersion = version;
    if (this.#isAsLoaded && this.#isOther()) this.#renew();
  }

  /** Whether the server can be reached; if not, pages learn when it can be again. */
  async check(): Promise<boolean> {
    const isReachable = await this.#reaches();
    if (!isReachable) this.#lose();
    return isReachable;
  }

  #renew(): void {
    this.at = Date.now();
    this.revision++;
  }

  /** A window that is not visible listens to nothing. */
  #connect(): void {
    this.#disconnect();
    if (this.#name === null || this.isLost || !isVisible()) return;
    this.#stop = listen(new URL(repositoryPath(this.#name, '/live'), document.baseURI).href, {
      open: () => (this.#isOpen = true),
      version: (data) => this.#hear(data),
      end: (isRefused) => void this.#break(isRefused),
    });
  }

  /** The first version comes at once, while pages ask for their figures: it is no news unless theirs is another. */
  #hear(version: string): void {
    const isFirst = this.#version === null && this.#isAsLoaded;
    const isNews = version !== this.#version;
    this.#version = version;
    if (isFirst ? this.#isOther() : isNews) this.#renew();
  }

  #isOther(): boolean {
    return this.#version !== null && this.#loadedVersion !== null && versionOf(this.#version) !== this.#loadedVersion;
  }

  #disconnect(): void {
    clearTimeout(this.#retry);
    this.#stop?.();
    this.#stop = null;
    this.#isOpen = false;
  }

  /** The stream ended: it was long, the server stopped, the session ended, or the server refuses it. */
  async #break(isRefused: boolean): Promise<void> {
    this.#isAsLoaded = false;
    this.#disconnect();
    this.#retry = setTimeout(() => this.#connect(), isRefused ? PATIENCE_IF_REFUSED : PATIENCE);
    await this.check();
  }

  #lose(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#disconnect();
    const timer = setInterval(async () => {
      if (!isVisible() || !(await this.#reaches()) || !this.isLost) return;
      clearInterval(timer);
      this.isLost = false;
      this.recoveries++;
      this.#renew();
      this.#connect();
    }, PATIENCE);
  }

  /** The session may have ended with the server that is back. */
  #reaches(): Promise<boolean> {
    return session.refresh(AbortSignal.timeout(PROBE_LIMIT));
  }
}

function versionOf(data: string): number {
  return (JSON.parse(data) as { version: number }).version;
}

function isVisible(): boolean {
  return document.visibilityState === 'visible';
}

export const live = new Live();
