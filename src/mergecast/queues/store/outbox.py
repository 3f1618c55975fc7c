"""The outbox of a repository: causes of notices, stored in the transaction that stores what they are about.

A server sends them later (`notices`). Causes stay for a while after that, so that each is sent once.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mergecast.queues.model.cause import BEGIN, END, LONGEST_AGE, Cause, CauseName
from mergecast.queues.model.instant import DAY
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.stored_rows import stored_rows

# How long causes stay after they were stored: the events of a stay may be replaced, and alerts may last.
KEEP_ONCE = 30 * DAY
KEEP = 400 * DAY


def add_causes(
    held: HeldRepository, causes: Iterable[Cause], delay: int = 0, *, are_done: bool = False
) -> None:
    """Store the causes that are new and not too old; they are due after `delay` microseconds.

    Those that are done never become a notice.

    If the beginning of an alert has not been sent when its end comes, neither is sent.
    """
    now = held.now
    wanted = {cause.name: cause for cause in causes if cause.happened_at > now - LONGEST_AGE}
    if not wanted:
        return
    known = _known(held, [key for _, key, _ in wanted])
    is_done = dict.fromkeys(wanted, False) | known
    new = [cause for name, cause in wanted.items() if name not in known]
    ended = {(cause.kind, cause.key) for cause in new if cause.phase == END}
    # The end of something that never became a cause, because its beginning was too old, is not sent either.
    dropped = {name for name in ended if not is_done.get((*name, BEGIN), False)}
    held.insert(
        _row(held.state.id, cause, now, delay, are_done or (cause.kind, cause.key) in dropped)
        for cause in new
    )
    mark_as_done(held, [(*name, BEGIN) for name in dropped if (*name, BEGIN) in known])
    held.save(held.state)


def mark_as_done(held: HeldRepository, names: Iterable[CauseName]) -> None:
    """These causes were sent on, or never will be."""
    by_group: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for kind, key, phase in names:
        by_group[kind, phase].append(key)
    for (kind, phase), keys in by_group.items():
        held.change_rows("mark_causes_as_done", keys, kind, phase, held.now)
    held.save(held.state)


def delete_old_causes(held: HeldRepository) -> None:
    """Delete causes that can no longer be repeated."""
    now = held.now
    if held.change_rows("delete_old_causes", now - KEEP_ONCE, now - KEEP):
        held.save(held.state)


def _known(held: HeldRepository, keys: Sequence[str]) -> dict[CauseName, bool]:
    """The stored causes with these keys, and whether each is done."""
    rows = stored_rows(held.rows, CauseRow, key=keys)
    return {row.name: row.done_at is not None for row in rows}


def _row(repository_id: int, cause: Cause, now: int, delay: int, is_dropped: bool) -> CauseRow:  # noqa: FBT001
    return CauseRow(repository_id, *cause, now, now + delay, now if is_dropped else None)
