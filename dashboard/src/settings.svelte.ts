// The settings of a repository: one document that several sections of pages read and change.

import { untrack } from 'svelte';
import { asked, type Asked } from './asked.svelte.ts';
import type { Settings, WantedSettings } from './api/types.ts';
import type { Form, Submitted } from './form.svelte.ts';
import { about, repositoryPath, type Name } from './model/question.ts';

type More = Pick<Submitted<unknown>, 'done' | 'placeOf'>;

/** `changed`: somebody else was faster, and what was written is about settings that are gone. */
export type Saved = 'saved' | 'refused' | 'changed';
const PRECONDITION_FAILED = 412;

export interface RepositorySettings {
  readonly asked: Asked<Settings>;
  /** As they were read or saved last; null until they are known. */
  readonly current: Settings | null;
  /** Change some sections of `current`. The server refuses it if somebody else has changed the settings since. */
  save(form: Form, sections: WantedSettings, more?: More): Promise<Saved>;
}

export function settingsOf(name: Name): RepositorySettings {
  const read = asked(() => about(name, '/settings')) as unknown as Asked<Settings>;
  /** What was saved counts until it is read again. An answer from before then is one of the versions that it replaced. */
  let saved = $state.raw<{ settings: Settings; version: string | null; replaced: readonly string[] } | null>(null);
  $effect(() => {
    void read.data;
    const { version } = read;
    untrack(() => {
      if (saved && (version === null || version === saved.version || !saved.replaced.includes(version))) saved = null;
    });
  });

  async function save(form: Form, body: WantedSettings, more: More = {}): Promise<Saved> {
    const ifMatch = saved?.version ?? read.version;
    if (ifMatch === null) return 'refused'; // Nothing was read that could be changed.
    const result = await form.submit<{ settings: Settings }>({ method: 'PUT', path: repositoryPath(name, '/settings'), body, ifMatch, ...more } as Submitted<{ settings: Settings }>);
    if (result.ok) saved = { settings: result.data.settings, version: result.version ?? null, replaced: [...(saved?.replaced ?? []), ifMatch] };
    read.again();
    if (result.ok) return 'saved';
    if (result.problem.status !== PRECONDITION_FAILED) return 'refused';
    saved = null;
    return 'changed';
  }

  return {
    asked: read,
    get current() {
      return saved?.settings ?? read.data;
    },
    save,
  };
}
