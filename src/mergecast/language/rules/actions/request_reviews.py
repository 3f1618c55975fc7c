"""`request_reviews`: ask people or teams for a review."""

from collections.abc import Iterable

from mergecast.language.conditions.values import Team
from mergecast.language.configuration.models.actions import RequestReviews
from mergecast.language.rules.actions.plan import Action, Case, Plan, acting_as, acts, nothing, read_team
from mergecast.language.rules.sentence import Login, Pieces, first_listed, joined, listed, logins, sentence
from mergecast.queues.model.snapshot import REVIEW_PARTS
from mergecast.queues.model.words import counted

MOST_REQUESTS = 15


def _plan(options: RequestReviews, case: Case) -> Plan:
    people, teams = _people(options, case), _teams_to_ask(options, case)
    involved = _involved(people | teams, case)
    wanted = (people | teams) - involved
    still = len(wanted) if options.random_count is None else options.random_count - len(involved)
    if still <= 0 < len(wanted):
        return nothing(f"Would request no reviews: {len(involved)} of the candidates are already involved")
    if not wanted:
        return nothing("Would request no reviews: no one is left to ask")
    pull = case.context.pull
    room = MOST_REQUESTS - len(pull.requested_reviewers) - len(pull.requested_teams)
    if room <= 0:
        return nothing(f"Would request no reviews: {MOST_REQUESTS}, the maximum, are already requested")
    account = acting_as(options.bot_account, case.context)
    asked = listed(logins(wanted))
    # The service picks at random, also if there is room for only some of them.
    count = min(still, room)
    if count < len(wanted):
        return acts(sentence(f"Would request {counted(count, 'review')} picked among ", *asked, *account))
    return acts(sentence("Would request reviews from ", *asked, *account))


def _people(options: RequestReviews, case: Case) -> set[str]:
    wanted = {login for login, _ in options.users}
    for team, _ in options.users_from_teams:
        wanted.update(case.context.view.members(read_team(team)))
    return wanted - {case.context.pull.author or ""}


def _teams_to_ask(options: RequestReviews, case: Case) -> set[str]:
    return {f"{case.context.pull.owner}/{read_team(team).slug}" for team, _ in options.teams}


def _involved(candidates: set[str], case: Case) -> set[str]:
    """Those who are requested already or have reviewed; a review without write access does not count."""
    pull = case.context.pull
    requested = {*pull.requested_reviewers, *(f"{pull.owner}/{slug}" for slug in pull.requested_teams)}
    left = candidates - requested
    if any("/" not in candidate for candidate in left):
        requested |= case.context.view.reviewers.logins
    return candidates & requested


def _teams(options: RequestReviews) -> Iterable[Team]:
    return [read_team(name) for name, _ in options.users_from_teams]


def _describe(options: RequestReviews) -> Pieces:
    phrases: list[Pieces] = []
    if asked := [name for name, _ in (*options.users, *options.teams)]:
        phrases.append(_named(asked))
    if options.users_from_teams:
        phrases.append(("members of ", *_named(name for name, _ in options.users_from_teams)))
    if not phrases:
        return ("requests no review",)
    if options.random_count is not None:
        return (f"requests {counted(options.random_count, 'review')} picked among ", *joined(phrases))
    return ("requests reviews from ", *joined(phrases))


def _named(people: Iterable[str]) -> Pieces:
    return first_listed(tuple(Login(name.removeprefix("@")) for name in people))


ACTION = Action(_plan, _describe, needs=REVIEW_PARTS, teams=_teams)
