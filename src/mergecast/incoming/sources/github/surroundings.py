"""What happened around a pull request: the groups of others, and pushes to the base branch."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.incoming.sources.github.groups import MergeGroup
from mergecast.incoming.sources.github.reasons import CONFLICT_WITH_AHEAD, MERGED
from mergecast.incoming.sources.github.stays.draft import GitHubStay
from mergecast.queues.model.event import EXIT_REASONS

# What others need to know of a group: the instant at which it merged, the reason why its pull request left
# with it, or else the commit it was built on, where the reason may be found.
GroupFate = str | int | None


class Surroundings(NamedTuple):
    """What happened around a pull request, which explains why its groups were destroyed."""

    # The groups of other pull requests, by commit: why that pull request left with this group.
    # None while it is queued, and for a group that was rebuilt.
    ahead: Mapping[str, str | None] = {}
    built_on: Mapping[str, str] = {}  # what the groups without a reason were built on
    landed_at: Mapping[str, int] = {}  # when groups merged: their commits are part of the base branch since
    # Instants at which someone other than the queue pushed to the base branch.
    foreign_pushes: Sequence[int] = ()


def fates_of_groups(stays: Iterable[GitHubStay]) -> dict[str, GroupFate]:
    """What other pull requests need to know of each group, by commit."""
    found: dict[str, GroupFate] = {}
    for stay in stays:
        for group in stay.groups:
            found[group.head_sha] = group.base_sha
        if stay.groups and stay.exit is not None:
            has_merged = stay.exit.reason == MERGED
            found[stay.groups[-1].head_sha] = stay.exit.at if has_merged else stay.exit.reason
    return found


def surroundings_of(fates: Mapping[str, GroupFate], pushes: Iterable[int]) -> Surroundings:
    """The surroundings in which groups of others had these fates."""
    landed_at, reasons, built_on = dict[str, int](), dict[str, str](), dict[str, str]()
    for head, fate in fates.items():
        if isinstance(fate, int):
            landed_at[head] = fate
        elif fate is not None:
            (reasons if fate in EXIT_REASONS else built_on)[head] = fate
    ahead = dict.fromkeys(fates) | reasons | dict.fromkeys(landed_at, MERGED)
    return Surroundings(ahead, built_on, landed_at, tuple(sorted(pushes)))


def with_conflict_explained(stay: GitHubStay, around: Surroundings) -> GitHubStay:
    """The stay; a conflict is one with the pull request ahead if its last group was built on that one's."""
    group = stay.exit.conflicting_group if stay.exit is not None else None
    if stay.exit is None or group is None or not _is_built_on_another(group, around):
        return stay
    return stay._replace(exit=replace(stay.exit, reason=CONFLICT_WITH_AHEAD))


def _is_built_on_another(group: MergeGroup, around: Surroundings) -> bool:
    """Whether a group was built on another one, and not on the base branch after that one had merged."""
    ahead = group.base_sha or ""
    return ahead in around.ahead and around.landed_at.get(ahead, group.built_at + 1) > group.built_at
