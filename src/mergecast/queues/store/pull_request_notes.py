"""Titles, authors and URLs of pull requests, and their positions in the queue, as last delivered."""

from collections.abc import Iterable, Mapping, Sequence

from mergecast.queues.model.delivery import Delivery
from mergecast.queues.store.delivery_rows import PullRequestRow
from mergecast.queues.store.held_repository import HeldRepository


def note_pull_requests(held: HeldRepository, new: Sequence[Delivery], repeated: Sequence[Delivery]) -> None:
    """Keep the newest title, author, URL and position of each pull request.

    An entry of the queue is a duplicate whenever the queue is read again, but its place may have changed.
    """
    titled = _newest(new)
    placed = {
        number: delivery
        for number, delivery in _newest([*repeated, *new]).items()
        if delivery.about is not None and delivery.about.position is not None
    }
    numbers = titled.keys() | placed.keys()
    if not numbers:
        return
    known = {row[1]: PullRequestRow(*row) for row in held.rows("pull_requests", sorted(numbers))}
    rows = known | _with_titles(held.state.id, known, titled)
    # An entry that is read for the first time may have the place that an earlier one of its pull request had.
    rows |= _places(rows, placed, is_changed=bool(placed.keys() & titled.keys()))
    changed = [row for number, row in sorted(rows.items()) if row != known.get(number)]
    if changed:
        held.change_rows("delete_pull_requests", [row.number for row in changed])
        held.insert(changed)
        held.save(held.state)


def _newest(deliveries: Iterable[Delivery]) -> dict[int, Delivery]:
    """The delivery received last for each pull request."""
    titled = [delivery for delivery in deliveries if delivery.about is not None]
    in_order = sorted(titled, key=lambda delivery: delivery.received_at)
    return {delivery.about.number: delivery for delivery in in_order if delivery.about is not None}


def _with_titles(
    repository_id: int, known: Mapping[int, PullRequestRow], titled: Mapping[int, Delivery]
) -> dict[int, PullRequestRow]:
    rows: dict[int, PullRequestRow] = {}
    for number, delivery in titled.items():
        before = known.get(number)
        if delivery.about is not None and (before is None or before.known_at <= delivery.received_at):
            place = (None, None) if before is None else (before.position, before.positioned_at)
            row = PullRequestRow(repository_id, *delivery.about[:4], delivery.received_at, *place)
            # GitLab's list of a train does not name the author.
            rows[number] = row._replace(author=before.author) if before and not row.author else row
    return rows


def _places(
    rows: Mapping[int, PullRequestRow], placed: Mapping[int, Delivery], *, is_changed: bool
) -> dict[int, PullRequestRow]:
    """The rows with places; none if all have their place already.

    Entries read together get the same instant.
    """
    found = {
        number: rows[number]._replace(position=delivery.about.position, positioned_at=delivery.received_at)
        for number, delivery in placed.items()
        if number in rows
        and delivery.about is not None
        and (rows[number].positioned_at or 0) <= delivery.received_at
    }
    is_changed |= any(row.position != rows[number].position for number, row in found.items())
    return found if is_changed else {}
