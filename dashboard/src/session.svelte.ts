// The session of this browser.

import { answerTo, forgetAnswers } from './api/answers.ts';
import { change, whenRefused, type Result } from './api/client.ts';
import type { Problem, Session, SignIn } from './api/types.ts';
import { get } from './model/question.ts';
import { signInFailure } from './model/sign-in.ts';
import { router } from './router.svelte.ts';

/** A link that would sign in someone else: its code, which is not used up yet, and what the server says about it. */
export interface Offer {
  code: string;
  problem: Problem;
}

class CurrentSession {
  /** Null until the server has answered. */
  #answer = $state.raw<Session | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** What the server wrote into the URL if signing in on another service's page failed. */
  #failed = $state.raw<URLSearchParams | null>(null);
  offer = $state.raw<Offer | null>(null);
  /** It was revoked, or expired, while the page was open. */
  hasEnded = $state(false);
  #isChecking = false;

  readonly isKnown = $derived(this.#answer !== null || this.problem !== null);
  readonly current = $derived(this.#answer?.kind ? this.#answer : null);
  readonly hasGitHub = $derived(this.#answer?.github ?? false);
  readonly oidc = $derived(this.#answer?.oidc ?? null);
  readonly failure = $derived(this.#failed ? signInFailure(this.#failed, this.oidc) : '');
  readonly name = $derived(this.current?.name || this.current?.kind || '');

  async start(): Promise<void> {
    // A link that is pasted into this tab changes only the fragment: the browser does not load the page again.
    addEventListener('hashchange', () => {
      if (new URLSearchParams(location.hash.slice(1)).has('code')) void this.#enter();
    });
    await this.#enter();
    whenRefused(() => void this.#check());
  }

  /** Someone else's data is refused as well; then the session goes on. */
  async #check(): Promise<void> {
    if (this.#isChecking || !this.current) return;
    this.#isChecking = true;
    await this.refresh(new AbortController().signal);
    this.#isChecking = false;
  }

  /** Use the one-time code in the URL, if there is one; otherwise ask who is signed in. */
  async #enter(): Promise<void> {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const code = fragment.get('code');
    const hasFailed = fragment.has('sign-in');
    if (code !== null || hasFailed) router.setHash('');
    this.#failed = hasFailed ? fragment : null;
    if (code !== null && (await this.#useLink(code))) return;
    await this.#ask();
  }

  /** Sign in with the code of a link, unless someone else is signed in: that person decides first. */
  async #useLink(code: string): Promise<boolean> {
    const result = await change<Session>('POST', 'v1/session', { code, replace: false } satisfies SignIn);
    const isOffer = !result.ok && result.problem.status === 409;
    this.offer = isOffer ? { code, problem: result.problem } : null;
    return !isOffer && this.#take(result);
  }

  async acceptOffer(): Promise<void> {
    if (!this.offer) return;
    const { code } = this.offer;
    const result = await change<Session>('POST', 'v1/session', { code } satisfies SignIn);
    // Nothing that the other person saw may stay on the page.
    if (result.ok) location.reload();
    else this.offer = { code, problem: result.problem };
  }

  dismissFailure(): void {
    this.#failed = null;
  }

  declineOffer(): void {
    this.offer = null;
  }

  async signIn(credential: { code: string } | { token: string }): Promise<boolean> {
    return this.#take(await change<Session>('POST', 'v1/session', credential));
  }

  async signOut(): Promise<void> {
    await change('DELETE', 'v1/session');
    forgetAnswers();
    this.problem = null;
    await this.#ask();
    this.hasEnded = false;
  }

  /** The reason why signing in failed stays visible. */
  async #ask(): Promise<void> {
    const failed = this.problem;
    const result = await answerTo(get('/v1/session'), new AbortController().signal);
    if (this.#take(result) && !this.current) this.problem = failed;
  }

  /** Whether the server answers; if it does, who is signed in now. */
  async refresh(signal: AbortSignal): Promise<boolean> {
    const result = await answerTo(get('/v1/session'), signal);
    return result.ok && this.#take(result);
  }

  #take(result: Result<Session>): boolean {
    if (result.ok) {
      if (result.data.kind) this.hasEnded = false;
      else if (this.current) this.hasEnded = true;
      this.#answer = result.data;
    }
    this.problem = result.ok ? null : result.problem;
    return result.ok;
  }
}

export const session = new CurrentSession();
