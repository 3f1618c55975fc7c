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


def is_stray(observation: Observation) -> bool:
    return not observation.base_ref and observation.number is None


def thread_of_strays(commit: str) -> str:
    """Where strays about a commit are stored; no branch has such a name."""
    return f"strays {commit[:_DIGITS]}#"


def commit_of_stray(fields: str) -> str:
    """The commit that a stored stray is about."""
    (stray,) = _observations.decode(fields)
    return stray.head_sha or ""


def placed(seen: Sequence[Observation]) -> Sequence[Observation]:
    """The observations, with strays assigned to the groups that have their commits, or else left out."""
    if not any(is_stray(observation) for observation in seen):
        return seen
    groups: dict[str | None, Observation] = {
        observation.head_sha: observation
        for observation in sorted(
            seen,
            key=lambda observation: (observation.base_ref, observation.number or 0, observation.id),
            reverse=True,
        )
        if observation.head_sha is not None and not is_stray(observation)
    }
    found = []
    for observation in seen:
        group = groups.get(observation.head_sha) if is_stray(observation) else observation
        if group is not None:
            found.append(structs.replace(observation, base_ref=group.base_ref, number=group.number))
    return found
