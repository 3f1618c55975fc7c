"""`request_reviews`: people or teams are asked for a review."""

from __future__ import annotations

from mergecast.conditions.facts.snapshot_view import recorded
from mergecast.configuration.models.actions import RequestReviews
from mergecast.model.snapshot import Part
from mergecast.rules.actions.plan import Case, Plan, acting_as, acts, logins, nothing, read_team
from mergecast.rules.sentence import listed, sentence

MOST_REQUESTS = 15


def plan(options: RequestReviews, case: Case) -> Plan:
    wanted = _people(options, case) | _teams(options, case)
    if not wanted:
        return nothing("Would not request reviews: nobody is left to ask")
    pull = case.context.pull
    room = MOST_REQUESTS - len(pull.requested_reviewers) - len(pull.requested_teams)
    if room <= 0:
        return nothing(f"Would not request reviews: {MOST_REQUESTS} are requested already")
    account = acting_as(options.bot_account, case.context)
    people = listed(logins(wanted))
    # Who is picked is left to chance, also when only some of many can be asked.
    count = min(options.random_count or len(wanted), room)
    if count < len(wanted):
        noun = "review" if count == 1 else "reviews"
        return acts(sentence(f"Would request {count} {noun} picked among ", *people, *account))
    return acts(sentence("Would request reviews from ", *people, *account))


def _people(options: RequestReviews, case: Case) -> set[str]:
    reading = case.context.reading
    wanted = {login for login, _ in options.users}
    for team, _ in options.users_from_teams:
        wanted.update(reading.members(read_team(team)))
    if not wanted:
        return wanted
    reviewers = {review.author for review in recorded(case.context.snapshot.reviews, Part.REVIEWS)}
    return wanted - reviewers - {case.context.pull.author} - set(case.context.pull.requested_reviewers)


def _teams(options: RequestReviews, case: Case) -> set[str]:
    pull = case.context.pull
    slugs = {read_team(team).slug for team, _ in options.teams}
    return {f"{pull.owner}/{slug}" for slug in slugs - set(pull.requested_teams)}
