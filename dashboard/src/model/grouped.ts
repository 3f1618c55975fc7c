// What several things have in common is said once.

/** Things by the same sentence, in the order in which each first appears; things without one are left out. */
export function grouped<T>(things: readonly T[], sentence: (thing: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const said = sentence(thing);
    if (said === null) continue;
    const same = groups.get(said);
    if (same) same.push(thing);
    else groups.set(said, [thing]);
  }
  return groups;
}

const MOST_NUMBERS = 5;

/** What changed in a queue, for people who hear the page: pull requests that entered and left. */
export function queueNews(before: readonly number[], now: readonly number[]): string {
  const entered = now.filter((number) => !before.includes(number));
  const left = before.filter((number) => !now.includes(number));
  return [entered.length ? `${numbers(entered)} entered the queue.` : '', left.length ? `${numbers(left)} left the queue.` : ''].filter(Boolean).join(' ');
}

function numbers(all: readonly number[]): string {
  const named = all.slice(0, MOST_NUMBERS).map((one) => `#${one}`).join(', ');
  return all.length > MOST_NUMBERS ? `${named} and ${all.length - MOST_NUMBERS} more` : named;
}
