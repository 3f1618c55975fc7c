// Which build of the dashboard this page is, and whether the server still has it.

import { readPage } from './api/client.ts';

const RELOADED = 'mergecast.reloaded';

/** The name of the first script contains a digest of its content. */
function ownScript(): string {
  return document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src') ?? '';
}

/** Whether the server has another build than this one, so that files of this one may be missing. */
export async function isOutdated(): Promise<boolean> {
  const page = await readPage('');
  return page !== null && !page.includes(ownScript());
}

/** Each build is reloaded at most once in a tab: two servers with different builds must not lead to a loop. */
export function reloadOnce(): void {
  try {
    const before = sessionStorage.getItem(RELOADED)?.split(' ') ?? [];
    if (before.includes(ownScript())) return;
    sessionStorage.setItem(RELOADED, [...before, ownScript()].join(' '));
  } catch {
    return; // Without storage, it could not know that it has reloaded already.
  }
  location.reload();
}
