"""`assign`: assign people to the pull request, or unassign them."""

from mergecast.language.configuration.models.actions import Assign
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, nothing
from mergecast.language.rules.sentence import Login, Pieces, first_listed, joined, listed, logins, sentence
from mergecast.language.rules.variables import fill


def _plan(options: Assign, case: Case) -> Plan:
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
    """A template may render to nothing, for example `{{ author }}` if that account was deleted."""
    return {fill(user, case.context).removeprefix("@") for user in users} - {""}


def _describe(options: Assign) -> Pieces:
    phrases: list[Pieces] = []
    if users := tuple(dict.fromkeys((*options.users, *options.add_users))):
        phrases.append(("assigns ", *_people(users)))
    if options.remove_users:
        phrases.append(("unassigns ", *_people(options.remove_users)))
    return joined(phrases) or ("changes no assignee",)


def _people(users: tuple[str, ...]) -> Pieces:
    return first_listed(tuple(Login(user.removeprefix("@")) for user in users))


ACTION = Action(_plan, _describe)
