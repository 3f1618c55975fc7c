// The URL holds the state of the page: which page, window, filters, and open sections.

import { pathOf, placeOf, type Place } from './model/place.ts';
import { readView, writeView, type View } from './model/view.ts';

const prefix = new URL(document.baseURI).pathname;

class Router {
  #path = $state(currentPath());
  #search = $state(location.search);
  hash = $state(location.hash);
  /** Counts links that changed only the fragment: the browser does not load the page again. */
  links = $state(0);
  /** When the user came here: a window that ends now does not end before this. */
  at = $state(Date.now());

  readonly place: Place = $derived(placeOf(this.#path));
  readonly query: URLSearchParams = $derived(new URLSearchParams(this.#search));
  readonly view: View = $derived(readView(this.query));

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => {
      this.#read();
      this.links++;
    });
    document.addEventListener('click', (event) => this.#follow(event));
  }

  /** Change URL parameters; null removes one. Back undoes the change, unless it replaces the entry. */
  set(parameters: Record<string, string | null>, mode: 'push' | 'replace' = 'push'): void {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    this.#go(addressOf(this.place, query), mode);
  }

  setView(change: Partial<View>): void {
    const query = writeView(this.query, { ...this.view, ...change });
    query.delete('at');
    this.#go(addressOf(this.place, query), 'push');
  }

  go(place: Place): void {
    this.#go(this.hrefOf(place), 'push');
  }

  setHash(hash: string): void {
    history.replaceState(null, '', `${addressOf(this.place, this.query)}${hash ? `#${hash}` : ''}`);
    this.hash = location.hash;
  }

  /** The URL of a page; pages of the same repository keep the window and the filters, unless they change. */
  hrefOf(place: Place, parameters: Record<string, string> = {}, change: Partial<View> = {}): string {
    const isSameRepository =
      'owner' in place && 'owner' in this.place && place.owner === this.place.owner && place.repository === this.place.repository;
    const query = isSameRepository ? writeView(new URLSearchParams(), { ...this.view, ...change }) : new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) query.set(name, value);
    return addressOf(place, query);
  }

  #go(address: string, mode: 'push' | 'replace'): void {
    const isSamePage = new URL(address, document.baseURI).pathname === location.pathname;
    history[mode === 'push' ? 'pushState' : 'replaceState'](null, '', address);
    this.#read();
    if (!isSamePage) {
      scrollTo(0, 0);
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
    }
  }

  #read(): void {
    this.#path = currentPath();
    this.#search = location.search;
    this.hash = location.hash;
    this.at = Date.now();
  }

  /** A plain click on a link to one of our pages navigates without a request. */
  #follow(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest?.('a[href]');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!(link instanceof HTMLAnchorElement) || !isPlain || event.defaultPrevented) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(prefix) || placeOf(link.pathname.slice(prefix.length)).page === 'unknown') return;
    event.preventDefault();
    this.#go(link.href, 'push');
  }
}

function currentPath(): string {
  return location.pathname.startsWith(prefix) ? location.pathname.slice(prefix.length) : '';
}

function addressOf(place: Place, query: URLSearchParams): string {
  const asked = query.toString();
  const path = place.page === 'unknown' ? currentPath() : pathOf(place);
  return `${prefix}${path}${asked ? `?${asked}` : ''}`;
}

export const router = new Router();
