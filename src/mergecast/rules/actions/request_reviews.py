"""`request_reviews`: ask people or teams for a review."""

from __future__ import annotations

from collections.abc import Iterable

from mergecast.conditions.facts.snapshot_view import recorded
from mergecast.conditions.values import Team
from mergecast.configuration.models.actions import RequestReviews
from mergecast.model.snapshot import REVIEW_PARTS, Part
from mergecast.rules.actions.plan import Action, Case, Plan, acting_as, acts, nothing, read_team
from mergecast.rules.sentence import Login, Pieces, first_listed, joined, listed, logins, sentence

MOST_REQUESTS = 15


def _plan(options: RequestReviews, case: Case) -> Plan:
    wanted = _people(options, case) | _teams_to_ask(options, case)
    if not wanted:
        return nothing("Would request no reviews: no one is left to ask")
    pull = case.context.pull
    room = MOST_REQUESTS - len(pull.requested_reviewers) - len(pull.requested_teams)
    if room <= 0:
        return nothing(f"Would request no reviews: {MOST_REQUESTS}, the maximum, are already requested")
    account = acting_as(options.bot_account, case.context)
    people = listed(logins(wanted))
    # The service picks at random, also if there is room for only some of them.
    count = min(options.random_count or len(wanted), room)
    if count < len(wanted):
        return acts(sentence(f"Would request {_reviews(count)} picked among ", *people, *account))
    return acts(sentence("Would request reviews from ", *people, *account))


def _people(options: RequestReviews, case: Case) -> set[str]:
    view = case.context.view
    wanted = {login for login, _ in options.users}
    for team, _ in options.users_from_teams:
        wanted.update(view.members(read_team(team)))
    if not wanted:
        return wanted
    reviewers = {review.author for review in recorded(case.context.snapshot.reviews, Part.REVIEWS)}
    return wanted - reviewers - {case.context.pull.author} - set(case.context.pull.requested_reviewers)


def _teams_to_ask(options: RequestReviews, case: Case) -> set[str]:
    pull = case.context.pull
    slugs = {read_team(team).slug for team, _ in options.teams}
    return {f"{pull.owner}/{slug}" for slug in slugs - set(pull.requested_teams)}


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
        return (f"requests {_reviews(options.random_count)} picked among ", *joined(phrases))
    return ("requests reviews from ", *joined(phrases))


def _named(people: Iterable[str]) -> Pieces:
    return first_listed(tuple(Login(name.removeprefix("@")) for name in people))


def _reviews(count: int) -> str:
    return "1 review" if count == 1 else f"{count} reviews"


ACTION = Action(_plan, _describe, needs=REVIEW_PARTS, teams=_teams)
