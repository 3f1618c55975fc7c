"""The base branches of one pull request, which is in the queue of one of them at a time."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs

from mergecast.incoming.sources.github.observation import Observation, Seen
from mergecast.incoming.sources.github.stays.exits import SAME, is_merge

_ENTRIES = (Seen.ENTERED, Seen.QUEUED)


def by_base(observations: Sequence[Observation]) -> dict[str, list[Observation]]:
    """What was seen of a pull request in the queue of each base branch."""
    bases = {report.base_ref for report in observations}
    if len(bases) <= 1:
        return {base_ref: list(observations) for base_ref in bases}
    found: defaultdict[str, list[Observation]] = defaultdict(list)
    for report in _with_branches_left(observations):
        found[report.base_ref].append(report)
    return dict(found)


def _with_branches_left(observations: Iterable[Observation]) -> Iterator[Observation]:
    """The observations; an exit counts for the base branch that the pull request was queued for.

    A pull request leaves its queue when its base branch is changed, and GitHub reports the exit with the
    new branch, for which it is not queued.
    """
    queues = _Queues()
    for report in sorted(
        observations, key=lambda report: (_changed_at(report), report.seen in _ENTRIES, report.id)
    ):
        if _is_exit(report):
            base_ref = queues.left_by(report)
            queues.leave(base_ref, _changed_at(report))
        else:
            base_ref = report.base_ref
            queues.note(report)
        yield structs.replace(report, base_ref=base_ref)


class _Queues:
    """The queues that a pull request may be in, after some of its reports."""

    def __init__(self) -> None:
        self._queued_for: str | None = None
        self._unended: set[str] = set()  # branches with an entry or a group, and no exit since
        self._last_left, self._last_left_at = "", 0

    def left_by(self, exit: Observation) -> str:
        """The base branch whose queue the pull request left: not always the one that the exit names."""
        if exit.base_ref in self._unended or _is_by_queue(exit):
            return exit.base_ref
        if self._queued_for is not None:
            return self._queued_for
        is_repeated = self._last_left and _changed_at(exit) - self._last_left_at <= SAME
        return self._last_left if is_repeated and exit.seen is Seen.LEFT else exit.base_ref

    def leave(self, base_ref: str, at: int) -> None:
        self._unended.discard(base_ref)
        if base_ref == self._queued_for:
            self._last_left, self._last_left_at, self._queued_for = base_ref, at, None

    def note(self, report: Observation) -> None:
        """Remember an entry or a group."""
        if report.seen in _ENTRIES:
            self._queued_for = report.base_ref
        if report.seen in _ENTRIES or report.seen is Seen.GROUP_BUILT:
            self._unended.add(report.base_ref)


def _is_exit(report: Observation) -> bool:
    return report.seen in (Seen.LEFT, Seen.CLOSED)


def _is_by_queue(exit: Observation) -> bool:
    """Whether the queue of the branch merged the pull request, which was therefore in that queue."""
    return is_merge(exit) and (exit.seen is Seen.LEFT or exit.is_by_queue)


def _changed_at(report: Observation) -> int:
    """The webhook may be late, but the pull request last changed when its base branch did, or afterwards."""
    return report.changed_at or report.instant
