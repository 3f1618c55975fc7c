// Who looks: the session of this browser.

import { send, type Result } from './api/client.ts';
import type { Session } from './api/types.ts';
import type { Problem } from './api/types.ts';
import { router } from './router.svelte.ts';

class CurrentSession {
  current = $state.raw<Session | null>(null);
  problem = $state.raw<Problem | null>(null);
  isKnown = $state(false);

  /** Use the one-time code in the address, if there is one; then ask who looks. */
  async start(): Promise<void> {
    const code = new URLSearchParams(location.hash.slice(1)).get('code');
    if (code) {
      router.setHash('');
      if (await this.signIn({ code })) return;
    }
    this.#take(await send<Session>('GET', 'v1/session'), code === null);
  }

  async signIn(credential: { code: string } | { token: string }): Promise<boolean> {
    return this.#take(await send<Session>('POST', 'v1/session', credential), false);
  }

  async signOut(): Promise<void> {
    await send('DELETE', 'v1/session');
    this.current = null;
    this.problem = null;
  }

  /** A refusal of the first question only means that nobody is signed in. */
  #take(result: Result<Session>, isFirst: boolean): boolean {
    this.isKnown = true;
    this.current = result.ok ? result.data : null;
    if (result.ok) this.problem = null;
    else if (!isFirst || result.problem.status !== 403) this.problem = this.problem ?? result.problem;
    return result.ok;
  }
}

export const session = new CurrentSession();
