"""Changes to a held repository other than recording: facts, deletes, old bodies, products, snapshots."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from mergecast.queues.model.facts import (
    Facts,
    Statement,
    derive_bisection_ends,
    derive_bisection_starts,
    derive_checks,
    derive_runs,
    derive_stays,
    settle,
)
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.repository_names import RepositoryNames
from mergecast.queues.store.ci.delete import delete_selected_checks
from mergecast.queues.store.counting import remember_selected_ends
from mergecast.queues.store.held_repository import HeldRepository, refuse_if_renamed
from mergecast.queues.store.rows import CursorRow, SnapshotRow, SourceRow
from mergecast.queues.store.stored_rows import delete_rows
from mergecast.queues.store.values import KnownRepository, RecordedSnapshot, Selection

_SUBJECTS_AT_ONCE = 5_000


def derive_facts(
    subjects: Collection[int], statements: Collection[Statement], give_way: Callable[[], None] = lambda: None
) -> Facts:
    """The facts of these subjects; `statements` has everything that events say about them.

    Many take long to derive, so `give_way` is called in between.
    """
    settled = settle(statements)
    checks = derive_checks(settled)
    own_checks = [check for check in checks if check.stay in subjects]
    give_way()
    stays = [stay for stay in derive_stays(settled, checks) if stay.stay in subjects]
    give_way()
    runs = derive_runs(check for check in checks if check.run in subjects)
    give_way()
    starts = [start for start in derive_bisection_starts(settled) if start.bisection in subjects]
    ends = [end for end in derive_bisection_ends(settled) if end.bisection in subjects]
    return Facts(own_checks, stays, runs, starts, ends)


def write_facts(held: HeldRepository, subjects: Collection[int], statements: Collection[Statement]) -> Facts:
    """Derive the facts of these subjects and insert them."""
    facts = derive_facts(subjects, statements, held.give_way)
    for rows in facts:
        held.insert(rows)
        held.give_way()
    return facts


def rewrite_facts(held: HeldRepository, subjects: Sequence[int]) -> None:
    """Derive the facts of these subjects from the stored events."""
    for start in range(0, len(subjects), _SUBJECTS_AT_ONCE):
        chunk = subjects[start : start + _SUBJECTS_AT_ONCE]
        held.delete_facts(chunk)
        write_facts(held, frozenset(chunk), held.statements(chunk))


def rebuild_subjects(held: HeldRepository, subjects: Sequence[int], of: int) -> None:
    """Recompute the facts of these subjects, and raise the data version.

    A repository that was deleted and created again has another id, and other subjects.
    """
    if held.state.id == of:
        rewrite_facts(held, subjects)
        state = replace(held.state, version=held.state.version + 1)
        held.save(state.to_judge(state.first_at, held.now))


def state_after_deleting(held: HeldRepository) -> KnownRepository:
    """The next state of a repository that has lost events."""
    ((events, first_at, last_at),) = held.rows("span_of_events")
    state = held.state
    if state.kept_since is not None and state.first_at is not None and state.first_at < state.kept_since:
        first_at = state.first_at  # it may have been deleted because of its age
    return replace(state, version=state.version + 1, events=events, first_at=first_at, last_at=last_at)


def delete_events(held: HeldRepository, selection: Selection) -> int:
    """Delete the selected events, and the repository once nothing is left; returns how many there were.

    Deliveries of the same source and period are deleted too: otherwise their events would come back.
    """
    touched = [subject for (subject,) in held.rows("selected_subjects", *selection.parameters)]
    remember_selected_ends(held, selection)
    deleted = held.delete_selected_events(selection)
    checks = delete_selected_checks(held, selection)
    if delete_deliveries(held, selection) + deleted + checks == 0:
        return 0
    left = state_after_deleting(held)
    if left.is_empty and not _has_reference_periods(held):
        held.delete_everything()
    else:
        rewrite_facts(held, touched)
        held.save(left.to_judge(_since(held, selection), held.now))
    return deleted + checks


def _since(held: HeldRepository, selection: Selection) -> int | None:
    return held.state.first_at if selection.start is None else selection.start


def _has_reference_periods(held: HeldRepository) -> bool:
    """Whether it has reference periods, which stay when the events behind them are deleted."""
    return bool(held.rows("reference_periods"))


def forget(held: HeldRepository) -> int:
    """Delete everything about a repository; returns how many events it had."""
    held.delete_everything()
    return held.state.events + held.state.ci_checks


def set_products(held: HeldRepository, products: tuple[str, ...], repository_id: int | None) -> None:
    refuse_if_renamed(held, repository_id)
    held.save(replace(held.state, products=products))


def put_snapshot(held: HeldRepository, snapshot: RecordedSnapshot, repository_id: int | None) -> None:
    """Record a pull request; replaces what was recorded before."""
    refuse_if_renamed(held, repository_id)
    more = 0 if delete_rows(held, SnapshotRow, number=[snapshot.number]) else 1
    held.insert([SnapshotRow(held.state.id, snapshot.number, snapshot.is_open, snapshot.document)])
    _save_snapshots(held, more)


def delete_snapshot(held: HeldRepository, number: int) -> bool:
    """Delete a snapshot, and the repository once nothing is left; returns whether there was one."""
    if not delete_rows(held, SnapshotRow, number=[number]):
        return False
    _save_snapshots(held, -1)
    if held.state.is_empty and not _has_reference_periods(held):
        held.delete_everything()
    return True


def _save_snapshots(held: HeldRepository, more: int) -> None:
    state = held.state
    held.save(replace(state, snapshots=state.snapshots + more, recordings=state.recordings + 1))


def rename(
    held: HeldRepository, name: Repository, platform_id: int, names: RepositoryNames | None = None
) -> bool:
    """Change the name of the repository, or its spelling, unless another one has the name.

    `names` are all its names after that; without them, the present name becomes a former one.
    """
    former_names = (names or held.state.names.renamed(str(name))).stored
    if str(name) != str(held.state.repository) and not held.rename(name):
        return False
    held.save(replace(held.state, platform_id=platform_id, former_names=former_names))
    return True


def remember_former_name(held: HeldRepository, former: Repository, platform_id: int) -> None:
    state = held.state
    names = state.names.announced(str(former), str(state.repository))
    held.save(replace(state, platform_id=state.platform_id or platform_id, former_names=names.stored))


# A dictionary is used for a day, and bodies compressed with it may be younger than it.
_DICTIONARY_LIFE = 2 * DAY
# A thread that concerns a queue is recognized within seconds; a day covers redelivered webhooks.
_UNCERTAIN_LIFE = 1 * DAY


def delete_deliveries(held: HeldRepository, selection: Selection) -> int:
    """Delete the selected deliveries; returns how many there were.

    A source without a period starts over. Otherwise its cursor stays: a server that follows the source would
    import the deleted period again.
    """
    deleted = held.change_rows("delete_selected_deliveries", *selection.parameters)
    if selection.start is selection.end is None:
        chosen = {} if selection.source is None else {"source": [selection.source]}
        delete_rows(held, CursorRow, **chosen)
    if deleted:
        _recount(held)
    return deleted


def drop_old_deliveries(held: HeldRepository, now: int, keep: int) -> int:
    """Drop the bodies of deliveries older than `keep`; returns how many there were.

    Deliveries that turned out not to concern a queue are deleted.
    """
    dropped = held.change_rows("drop_old_bodies", now - keep)
    held.change_rows("delete_old_dictionaries", now - keep - _DICTIONARY_LIFE)
    if held.change_rows("delete_old_uncertain_deliveries", now - _UNCERTAIN_LIFE):
        _recount(held)
        if held.state.is_empty:
            held.delete_everything()
            return dropped
    held.save(held.state)
    return dropped


def _recount(held: HeldRepository) -> None:
    ((deliveries,),) = held.rows("number_of_deliveries")
    counts = [SourceRow(*row) for row in held.rows("count_deliveries")]
    delete_rows(held, SourceRow)
    held.insert(counts)
    held.save(replace(held.state, deliveries=deliveries))
