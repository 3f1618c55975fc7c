"""Thresholds: what is still normal for a figure of a queue."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

BUILT_IN: Final = "built_in"  # a fixed rule that holds for any queue
LEARNED: Final = "learned"  # from the last weeks of the queue
SET: Final = "set"  # a person wrote a value
REFERENCE: Final = "reference"  # at most so many times what it was in a period that a person pinned
ORIGINS: Final = (BUILT_IN, LEARNED, SET, REFERENCE)


class SetThreshold(NamedTuple):
    """A value that a person wrote; null names mean all branches and all queues."""

    figure: str
    value: float | None  # None: the figure raises no alerts there
    base_ref: str | None = None
    queue_name: str | None = None
    alert: bool = True  # False: only tiles and charts compare with it

    @property
    def place(self) -> tuple[str, str | None, str | None]:
        """There is at most one threshold for each."""
        return self.figure, self.base_ref, self.queue_name

    def is_for(self, base_ref: str | None, queue_name: str | None) -> bool:
        return self.base_ref in (None, base_ref) and self.queue_name in (None, queue_name)


def in_force(
    thresholds: Iterable[SetThreshold], base_ref: str | None, queue_name: str | None
) -> dict[str, SetThreshold]:
    """The thresholds of a queue, by figure: its own, otherwise those of its branch, then the repository's.

    The names of several queues together are those that they have in common (`common_scope`).

    >>> hotfix = SetThreshold("run_too_long", None, "main", "hotfix")
    >>> thresholds = [hotfix, SetThreshold("run_too_long", 5400)]
    >>> [in_force(thresholds, "main", queue)["run_too_long"].value for queue in ("default", "hotfix")]
    [5400, None]
    """
    fitting = [threshold for threshold in thresholds if threshold.is_for(base_ref, queue_name)]
    fitting.sort(key=lambda threshold: (threshold.base_ref is not None, threshold.queue_name is not None))
    return {threshold.figure: threshold for threshold in fitting}


def switched_off(
    thresholds: Iterable[SetThreshold], base_ref: str | None, queue_name: str | None
) -> frozenset[str]:
    """The figures that raise no alerts in a queue."""
    given = in_force(thresholds, base_ref, queue_name)
    return frozenset(figure for figure, threshold in given.items() if threshold.value is None)


def common_scope(queues: Iterable[tuple[str, str]]) -> tuple[str | None, str | None]:
    """The branch and the queue name that some queues share; None where they differ.

    >>> common_scope([("main", "default"), ("main", "hotfix")])
    ('main', None)
    """
    base_refs, names = set(), set()
    for base_ref, name in queues:
        base_refs.add(base_ref)
        names.add(name)
    return _only(base_refs), _only(names)


def _only(names: Collection[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None
