"""What a repository has: names for filters, with similar ones, and its newest event."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mergecast.cli.output import escape, say
from mergecast.cli.periods import utc_text
from mergecast.errors import NotFound
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.words import plural
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.client.client import Client

_NOUNS = {"base_ref": "branch", "queue_name": "queue", "priority_rule_name": "priority rule"}
_BEGINNING = "1970-01-01T00:00:00Z"
_MOST_LISTED = 10


def check_filters(
    client: "Client", repository: str, filters: Mapping[str, list[str]], rows: Sequence[object]
) -> None:
    """Raise NotFound for a name that the repository has never had; names in the answer need no request."""
    unseen = [
        (parameter, value)
        for parameter, values in filters.items()
        for value in values
        if not any(_name_in(row, parameter) == value for row in rows)
    ]
    if not unseen:
        return
    window = {"start_at": _BEGINNING, "end_at": utc_text(datetime.now(UTC))}
    groups = client.groups(repository, window)
    for parameter, value in unseen:
        known = {getattr(group, parameter) for group in groups} - {None}
        if value not in known:
            raise NotFound(_message(repository, _NOUNS[parameter], value, known))


def _name_in(row: object, parameter: str) -> object:
    """Rows of statistics are dictionaries, because each has columns of its own."""
    return row.get(parameter) if isinstance(row, dict) else getattr(row, parameter, None)


def _message(repository: str, noun: str, value: str, known: set[str]) -> str:
    close = nearest(value, known)
    if close is not None:
        advice = f"did you mean `{escape(close)}`?"
    elif known:
        some = ", ".join(escape(name) for name in sorted(known)[:_MOST_LISTED])
        advice = f"there {plural(len(known), 'is', 'are')} {some}"
        advice += ", …" if len(known) > _MOST_LISTED else ""
    else:
        advice = "it has none"
    return f"{repository} has no {noun} `{escape(value)}`; {advice}"


def branch_with_history(client: "Client", repository: str, period: Mapping[str, str]) -> str:
    """The branch that merged most in a period; on standard error its name, if there are others."""
    merged = Counter[str]()
    for queue in client.summary(repository, period).value.queues:
        merged[queue.base_ref] += queue.merged.count
    ranked = sorted(
        ((branch, count) for branch, count in merged.items() if count), key=lambda one: (-one[1], one[0])
    )
    if not ranked:
        raise NotFound(f"{repository} merged nothing in this period; choose a longer one with --since")
    (branch, most), *others = ranked
    if others:
        named = ", ".join(f"{escape(other)} ({count:,})" for other, count in others[:_MOST_LISTED])
        more = ", …" if len(others) > _MOST_LISTED else ""
        line = (
            f"branch {escape(branch)}, which merged most ({most:,}); --branch chooses another: {named}{more}"
        )
        say(line, file=sys.stderr)
    return branch


def nothing_in(period: str, newest: datetime | None, zone: Zone) -> str:
    """What a command says instead of an empty table."""
    if newest is None:
        return f"nothing in this period ({period}); there are no events yet"
    return (
        f"nothing in this period ({period}); the newest event is from {zone.shown(newest)}: "
        "choose a period with --since, --start and --end"
    )


def newest_event(client: "Client", repository: str) -> datetime | None:
    """The time of the newest event of a repository."""
    listed = client.repository(repository)
    return datetime.fromisoformat(listed.last_event_at) if listed and listed.last_event_at else None
