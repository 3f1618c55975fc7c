// Why signing in on another service's page failed, in words.

import type { Session } from '../api/types.ts';

type Reason = (name: string, contact: string) => string;

const REASONS = new Map<string, Reason>([
  ['denied', (name) => `You did not authorize Mergecast ${name === 'GitHub' ? 'on' : 'at'} ${name}.`],
  ['failed', (name) => `Signing in with ${name} failed: try again.`],
  ['unavailable', (name) => `Signing in with ${name} does not work right now: try again in a moment.`],
  ['no-access', (name, contact) => `You are signed in at ${name}, but your account has no access to anything here. Ask ${contact} for access.`],
]);

/** The text for the fragment that the server redirects to; empty if it is not one of the server's. */
export function signInFailure(fragment: URLSearchParams, oidc: Session['oidc']): string {
  const reason = REASONS.get(fragment.get('sign-in') ?? '');
  const isOidc = fragment.get('with') === 'oidc';
  const contact = (isOidc && oidc?.contact) || 'the operator of this server';
  return reason?.(isOidc ? (oidc?.name ?? 'the provider') : 'GitHub', contact) ?? '';
}
