"""Names of the temporary branches that GitHub builds merge groups on."""

import re
from typing import NamedTuple

_PREFIX = "refs/heads/"
_QUEUE = "gh-readonly-queue/"
# The base branch may itself contain `/pr-12-…`, so the pattern is greedy and anchored at the end.
_QUEUE_BRANCH = re.compile(
    rf"{_QUEUE}(?P<base>.+)/pr-(?P<number>[0-9]{{1,18}})-(?P<sha>[0-9a-f]{{40}}(?:[0-9a-f]{{24}})?)"
)


class QueueBranch(NamedTuple):
    """Which pull request a group was built for, and on which commit."""

    base_ref: str
    number: int
    built_on: str


def branch_name(ref: str) -> str:
    """The short name of a branch.

    >>> branch_name("refs/heads/main")
    'main'
    """
    return ref.removeprefix(_PREFIX)


def is_queue_branch(ref: str | None) -> bool:
    """Whether GitHub made the branch for a queue, even if its name cannot be read."""
    return ref is not None and branch_name(ref).startswith(_QUEUE)


def read_queue_branch(ref: str | None) -> QueueBranch | None:
    """What the name of a queue branch says; None for any other branch.

    >>> read_queue_branch(f"gh-readonly-queue/release/2.x/pr-9-{'0' * 40}").base_ref
    'release/2.x'
    """
    found = _QUEUE_BRANCH.fullmatch(branch_name(ref)) if ref else None
    return QueueBranch(found["base"], int(found["number"]), found["sha"]) if found else None
