"""`copy`: open the same change on other branches, without waiting for a merge."""

from __future__ import annotations

from mergecast.configuration.models.actions import Copy
from mergecast.model.pull_request import Commit
from mergecast.rules.actions.plan import Action, Case, Plan, cannot
from mergecast.rules.cherry_picks import describe_targets, pick
from mergecast.rules.sentence import Pieces


def _plan(options: Copy, case: Case) -> Plan:
    base = case.context.pull.base
    if any(_is_foreign_merge(commit, base) for commit in case.context.snapshot.commits or ()):
        return cannot("Would fail: a pull request that contains merge commits cannot be copied")
    return pick(options, case.context, "copy")


def _is_foreign_merge(commit: Commit, base: str) -> bool:
    """Merges of the base branch, recognized by git's message, are skipped when commits are cherry-picked."""
    of_base = (f"Merge branch '{base}'", f"Merge remote-tracking branch 'origin/{base}'")
    return len(commit.parents) > 1 and not commit.message.startswith(of_base)


def _describe(options: Copy) -> Pieces:
    return ("copies it to ", *describe_targets(options))


ACTION = Action(_plan, _describe)
