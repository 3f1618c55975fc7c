"""Which stays last at an instant, in the queues of some repositories."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mergecast.queues.model.facts import Stay
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.stored_rows import read_rows

Queue = tuple[str, str]  # base ref and queue name


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
    numbers = reader.column("pull_requests_at", [repository_id, at])
    stays = [
        PresentStay(row.stay, number, group, row.entered_at, row.left_at)
        for row in read_rows(reader, repository_id, Stay, pull_request=numbers)
        if (number := row.pull_request) is not None
        and (group := row.entered_group) is not None
        and row.entered_at is not None
        and row.entered_at <= at
    ]
    in_order = sorted(stays, key=lambda stay: (stay.entered_at, stay.number))
    return _lasting(in_order, queues_of_groups(reader, repository_id), at)


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
