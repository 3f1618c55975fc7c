"""Which stays last at an instant, in the queues of some repositories."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.model.facts import Stay
from mergecast.queues.model.instant import HOUR
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import read_rows

Queue = tuple[str, str]  # base ref and queue name
_RECENT = 6 * HOUR  # most stays that last began since: one statement finds these and those that replace them


class PresentStay(NamedTuple):
    number: int
    pull_request: int
    group: int
    entered_at: int
    left_at: int | None


def queues_of_groups(reader: Reader, repository_id: int) -> dict[int, Queue]:
    """The queue of each group of a repository."""
    return {id: (group.base_ref, group.queue_name) for id, group in reader.groups(repository_id).items()}


def present_stays(reader: Reader, repository_ids: Sequence[int], at: int) -> dict[int, list[PresentStay]]:
    """The stays that last, by repository and in order of entering."""
    found: defaultdict[int, list[PresentStay]] = defaultdict(list)
    for repository_id, *stay in reader.rows("stays_of_present", [list(repository_ids), at]):
        found[repository_id].append(PresentStay(*stay))
    return {id: _lasting(stays, queues_of_groups(reader, id), at) for id, stays in found.items()}


def stays_at(reader: Reader, repository_id: int, at: int) -> list[PresentStay]:
    """The same for one repository, without a join: an embedded store plans that longer than it reads."""
    since = at - _RECENT
    rows = reader.rows("stays_lasting_or_recent", [repository_id, at, since])
    found = {stay.number: stay for stay in (PresentStay(*row) for row in rows)}
    # Later stays of a pull request that entered before may be older, too.
    early = {stay.pull_request for stay in found.values() if stay.entered_at < since}
    for stay in read_rows(reader, repository_id, Stay, pull_request=early):
        present = _entered(stay)
        if present is not None and present.entered_at <= at:
            found[present.number] = present
    in_order = sorted(found.values(), key=lambda stay: (stay.entered_at, stay.number))
    return _lasting(in_order, queues_of_groups(reader, repository_id), at)


def _entered(stay: Stay) -> PresentStay | None:
    """None unless an event says when it entered which queue."""
    if stay.pull_request is None or stay.entered_group is None or stay.entered_at is None:
        return None
    return PresentStay(stay.stay, stay.pull_request, stay.entered_group, stay.entered_at, stay.left_at)


def _lasting(stays: Sequence[PresentStay], queues: Mapping[int, Queue], at: int) -> list[PresentStay]:
    """Without those that a later one replaces.

    If a pull request entered the same queue again later, the earlier stay has ended: the event that says so
    is missing.
    """
    last = {
        (stay.pull_request, queues[stay.group]): stay.entered_at for stay in stays
    }  # in order of entering
    return [
        stay
        for stay in stays
        if (stay.left_at is not None and stay.left_at > at)
        or (stay.left_at is None and stay.entered_at == last[stay.pull_request, queues[stay.group]])
    ]
