"""Commit statuses that do not say which merge group they are about: they only name its commit.

A status lists up to ten branches that contain its commit, also those of groups that were built on top of it.
Only the branch whose head is the commit is that of its group, and it may be missing: others fill the list, or
it was deleted before the status was sent. Such a status belongs to the pull request that has a group with
this commit. Until a delivery shows that group, it is stored with other strays.
"""

import re
from collections.abc import Sequence

import msgspec
from msgspec import structs

from mergecast.incoming.sources.github.observation import Observation

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# Strays are stored in 4,096 threads at most, however many commits there are.
_DIGITS = 3

_observations = msgspec.json.Decoder(list[Observation])


def is_commit(text: str | None) -> bool:
    return text is not None and _COMMIT.fullmatch(text) is not None


def is_stray(one: Observation) -> bool:
    return not one.base_ref and one.number is None


def thread_of_strays(commit: str) -> str:
    """Where strays about a commit are stored; no branch has such a name."""
    return f"strays {commit[:_DIGITS]}#"


def commit_of_stray(fields: str) -> str:
    """The commit that a stored stray is about."""
    (stray,) = _observations.decode(fields)
    return stray.head_sha or ""


def placed(seen: Sequence[Observation]) -> Sequence[Observation]:
    """The observations; a stray belongs to the group with its commit, and is left out if there is none."""
    if not any(is_stray(one) for one in seen):
        return seen
    groups: dict[str | None, Observation] = {
        one.head_sha: one
        for one in sorted(seen, key=lambda one: (one.base_ref, one.number or 0, one.id), reverse=True)
        if one.head_sha is not None and not is_stray(one)
    }
    found = []
    for one in seen:
        group = groups.get(one.head_sha) if is_stray(one) else one
        if group is not None:
            found.append(structs.replace(one, base_ref=group.base_ref, number=group.number))
    return found
