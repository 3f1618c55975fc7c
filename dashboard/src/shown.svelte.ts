// What the page shows: repository, period, filters and time zone, for files and for paper.

import { describe, type Subject } from './model/subject.ts';
import type { Period } from './model/view.ts';
import { preferences } from './preferences.svelte.ts';
import { router } from './router.svelte.ts';

class Shown {
  /** The period of the page, if it has one. */
  period: Period | null = $state(null);

  readonly subject: Subject = $derived.by(() => {
    const { place, view } = router;
    const repository = 'owner' in place ? `${place.owner}/${place.repository}` : null;
    // Filters are part of a period's question; a page without one does not use them.
    const filters = this.period === null ? {} : { branch: view.base_ref, queue: view.queue_name, 'priority rule': view.priority_rule_name };
    return { repository, period: this.period, filters };
  });

  readonly line: string = $derived(describe(this.subject, preferences.zone));
}

export const shown = new Shown();
