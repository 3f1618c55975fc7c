"""Targets: limits that a team sets for figures of a repository, a branch or a queue."""

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple


class Target(NamedTuple):
    """The limits of what it names; null names mean all, and null limits mean none."""

    base_ref: str | None = None
    queue_name: str | None = None
    time_in_queue_p95: float | None = None  # seconds
    failure_rate: float | None = None
    ci_runs_per_merge: float | None = None

    @property
    def scope(self) -> tuple[str | None, str | None]:
        return self.base_ref, self.queue_name


LIMITED: Final = Target._fields[2:]  # the figures of a summary that can have a target


def limits_for(
    targets: Iterable[Target], base_ref: str | None, queue_name: str | None
) -> dict[str, float | None]:
    """The limit of each figure: that of the queue, otherwise of its branch, otherwise of the repository.

    >>> repository = Target(failure_rate=0.1, ci_runs_per_merge=2)
    >>> limits_for([repository, Target("main", "default", failure_rate=0.05)], "main", "default")
    {'time_in_queue_p95': None, 'failure_rate': 0.05, 'ci_runs_per_merge': 2}
    """
    fitting = [
        target
        for target in targets
        if target.base_ref in (None, base_ref) and target.queue_name in (None, queue_name)
    ]
    fitting.sort(key=lambda target: (target.base_ref is not None, target.queue_name is not None))
    limits: dict[str, float | None] = dict.fromkeys(LIMITED)
    for target in fitting:
        limits |= {name: limit for name in LIMITED if (limit := getattr(target, name)) is not None}
    return limits


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
