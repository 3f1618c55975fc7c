"""`copy`: open the same change on other branches, without waiting for a merge."""

from mergecast.language.configuration.models.actions import Copy
from mergecast.language.rules.actions.plan import Action, Case, Plan, cannot
from mergecast.language.rules.cherry_picks import describe_targets, has_foreign_merges, pick
from mergecast.language.rules.sentence import Pieces
from mergecast.queues.model.snapshot import Part


def _plan(options: Copy, case: Case) -> Plan:
    if has_foreign_merges(case.context):
        return cannot("Would fail: a pull request that contains merge commits cannot be copied")
    return pick(options, case.context, "copy")


def _describe(options: Copy) -> Pieces:
    return ("copies it to ", *describe_targets(options))


ACTION = Action(_plan, _describe, needs=frozenset({Part.COMMITS}))
