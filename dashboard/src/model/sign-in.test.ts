import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInFailure } from './sign-in.ts';

const acme = { name: 'Acme', contact: 'platform@acme.example' };
const said = (fragment: string, oidc: { name: string; contact: string | null } | null = acme): string =>
  signInFailure(new URLSearchParams(fragment), oidc);

test('what failed at GitHub is said about GitHub', () => {
  assert.deepEqual(['denied', 'failed', 'unavailable'].map((reason) => said(`sign-in=${reason}`)), [
    'You did not authorize Mergecast on GitHub.',
    'Signing in with GitHub failed: try again.',
    'Signing in with GitHub does not work right now: try again in a moment.',
  ]);
});

test('what failed at another provider has its name, and whom to ask', () => {
  assert.deepEqual(['denied', 'failed', 'unavailable', 'no-access'].map((reason) => said(`sign-in=${reason}&with=oidc`)), [
    'You did not authorize Mergecast at Acme.',
    'Signing in with Acme failed: try again.',
    'Signing in with Acme does not work right now: try again in a moment.',
    'You are signed in at Acme, but your account has no access to anything here. Ask platform@acme.example for access.',
  ]);
  assert.equal(
    said('sign-in=no-access&with=oidc', { name: 'login.acme.example', contact: null }),
    'You are signed in at login.acme.example, but your account has no access to anything here. Ask the operator of this server for access.',
  );
});

test('a link with another text says nothing', () => {
  assert.deepEqual([said('sign-in=constructor'), said('sign-in=%3Cimg%3E&with=oidc'), said('code=1')], ['', '', '']);
});
