"""How far back an import of GitHub's history has read, and what it has left out on the way."""

import msgspec

from mergecast.incoming.sources.page import Part, read_position
from mergecast.queues.model.instant import HOUR, Window

# A run that a poll sees end may have begun this long ago: GitHub waits no longer for checks.
LONGEST_RUN = 6 * HOUR
# Reading the list of pull requests again is cheaper than reading more of them one by one.
_MOST_RETURNING = 2000


class Position(msgspec.Struct, omit_defaults=True):
    """Pull requests are listed by their last change, and their timelines are read back to `since`.

    If a pull request changed long after a stay in the queue, the stay may be before `since`. Such a pull
    request is remembered, so that an import which reaches further back can return to it.
    """

    runs_until: int
    pulls_until: int
    after: str | None = None  # the page of pull requests that is next
    is_list_read: bool = False  # to its end, whenever that is
    since: int | None = None  # None: begun by a version that did not say it
    # When each of these pull requests was last in a queue before `since`; None if that is not known.
    returning: dict[int, int] | None = None
    checked_since: int | None = None  # the checks of commits that left the queue since then were read
    runs_ahead: list[Window] = []  # slices before `runs_until` that were read
    jobs_read: list[int] = []  # runs whose jobs were read, although their slices do not count as read yet

    def note(self, number: int, left_out: int | None) -> None:
        """Remember when a pull request was last in a queue before the span that its timeline was read for."""
        if self.returning is None:
            return
        self.returning.pop(number, None)
        if left_out is not None:
            self.returning[number] = left_out
        if len(self.returning) > _MOST_RETURNING:
            self.returning = None

    def are_pulls_read(self, since: int) -> bool:
        """Whether the list of pull requests was read back to then."""
        return self.is_list_read or self.pulls_until <= since

    def to_return_to(self, since: int) -> list[int]:
        """The numbers of the pull requests that were left out and were in a queue since then."""
        return [number for number, at in (self.returning or {}).items() if at >= since]


def begin(part: Part) -> Position:
    """Where to continue with a part, which may have been extended."""
    start, end = part.window
    position = read_position(part.position, Position)
    if position is None:
        position = Position(end, end, returning={})
        if part.read_until < end:  # by a version that remembered no more
            position.runs_until = part.read_until - LONGEST_RUN
            position.checked_since = part.read_until
    elif position.since is not None and start < position.since:
        checked_since = max(position.since, position.pulls_until)
        position.checked_since = min(checked_since, position.checked_since or checked_since)
        # Earlier runs were marked as such, and are read again.
        position.runs_until = max(position.runs_until, position.since)
        position.runs_ahead = [slice for slice in position.runs_ahead if slice.start >= position.since]
        if position.returning is None:
            position.pulls_until, position.after, position.is_list_read = end, None, False
            position.returning = {}
    position.runs_until, position.since = min(position.runs_until, end), start
    return position


def joined(later: str | None, earlier: str | None) -> str | None:
    """The position of the earlier part. It returns to pull requests that have moved to the later part."""
    above, below = read_position(later, Position), read_position(earlier, Position)
    if below is None or below.returning is None:
        return earlier
    if above is None or above.returning is None:
        below.returning = None
    else:
        for number, at in above.returning.items():
            if at < below.pulls_until:
                below.note(number, max(at, (below.returning or {}).get(number, 0)))
    return written(below)


def written(position: Position) -> str:
    return msgspec.json.encode(position).decode()
