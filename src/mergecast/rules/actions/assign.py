"""`assign`: people are assigned to the pull request, or unassigned."""

from __future__ import annotations

from mergecast.configuration.models.actions import Assign
from mergecast.rules.actions.plan import Case, Plan, acts, logins, nothing
from mergecast.rules.sentence import listed, sentence
from mergecast.rules.variables import fill


def plan(options: Assign, case: Case) -> Plan:
    current = set(case.context.pull.assignees)
    added = _rendered((*options.users, *options.add_users), case) - current
    removed = _rendered(options.remove_users, case) & current
    sentences = []
    if added:
        sentences.append(sentence("Would assign ", *listed(logins(added))))
    if removed:
        sentences.append(sentence("Would unassign ", *listed(logins(removed))))
    return acts(*sentences) if sentences else nothing("Would not change the assignees")


def _rendered(users: tuple[str, ...], case: Case) -> set[str]:
    """A template may come to nothing, such as the author whose account is gone."""
    return {fill(user, case.context).removeprefix("@") for user in users} - {""}
