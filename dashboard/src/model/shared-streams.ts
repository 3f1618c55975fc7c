// Which streams are open for all windows of a browser: a browser keeps six connections to a server, and each stream takes one.

export type News =
  /** The worker runs. */
  | { kind: 'ready' }
  | { url: string; kind: 'open' }
  | { url: string; kind: 'version'; data: string }
  /** `isRefused`: trying again soon would not help. */
  | { url: string; kind: 'end'; isRefused: boolean };

/** A window. */
export interface Listener {
  postMessage(news: News): void;
}

export interface Handlers {
  open(): void;
  version(data: string): void;
  end(isRefused: boolean): void;
}

/** Opens a stream; the result closes it. */
export type Open = (url: string, handlers: Handlers) => () => void;

interface Stream {
  close: () => void;
  isOpen: boolean;
  version: string | null;
}

/** Those who wanted a stream first have it; the others wait until it is closed. */
export class SharedStreams {
  readonly #open: Open;
  readonly #most: number;
  readonly #patience: number;
  readonly #wanted = new Map<Listener, { url: string; heardAt: number }>();
  readonly #streams = new Map<string, Stream>();

  /** A window that is not heard of for `patience` milliseconds has gone without saying so. */
  constructor(open: Open, most: number, patience: number) {
    this.#open = open;
    this.#most = most;
    this.#patience = patience;
  }

  /** Windows say again and again what they want; null is nothing. */
  want(listener: Listener, url: string | null, now: number): void {
    const known = this.#wanted.get(listener);
    if (known?.url === url) {
      known.heardAt = now;
    } else {
      this.#wanted.delete(listener);
      if (url !== null) this.#join(listener, url, now);
    }
    this.#forget(now);
    this.#adjust();
  }

  #join(listener: Listener, url: string, now: number): void {
    this.#wanted.set(listener, { url, heardAt: now });
    const stream = this.#streams.get(url);
    if (stream?.isOpen) listener.postMessage({ url, kind: 'open' });
    if (stream && stream.version !== null) listener.postMessage({ url, kind: 'version', data: stream.version });
  }

  #forget(now: number): void {
    for (const [listener, { heardAt }] of this.#wanted) if (now - heardAt > this.#patience) this.#wanted.delete(listener);
  }

  #adjust(): void {
    const wanted = new Set([...this.#wanted.values()].map(({ url }) => url));
    for (const [url, { close }] of this.#streams) {
      if (wanted.has(url)) continue;
      this.#streams.delete(url);
      close();
    }
    for (const url of wanted) if (!this.#streams.has(url) && this.#streams.size < this.#most) this.#begin(url);
  }

  #begin(url: string): void {
    const stream: Stream = { close: () => undefined, isOpen: false, version: null };
    this.#streams.set(url, stream);
    stream.close = this.#open(url, {
      open: () => {
        stream.isOpen = true;
        this.#tell({ url, kind: 'open' });
      },
      version: (data) => {
        stream.version = data;
        this.#tell({ url, kind: 'version', data });
      },
      end: (isRefused) => this.#end(url, isRefused),
    });
  }

  /** The windows decide when to try again. */
  #end(url: string, isRefused: boolean): void {
    this.#streams.delete(url);
    const listeners = this.#tell({ url, kind: 'end', isRefused });
    for (const listener of listeners) this.#wanted.delete(listener);
    this.#adjust();
  }

  #tell(news: Exclude<News, { kind: 'ready' }>): Listener[] {
    const listeners = [...this.#wanted].filter(([, { url }]) => url === news.url).map(([listener]) => listener);
    for (const listener of listeners) listener.postMessage(news);
    return listeners;
  }
}
