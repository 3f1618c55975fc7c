"""`dismiss_reviews`: reviews are dismissed, usually after new commits."""

from __future__ import annotations

from mergecast.conditions.facts.snapshot_view import SnapshotView
from mergecast.conditions.values import Team
from mergecast.configuration.models.actions import DismissReviews
from mergecast.rules.actions.plan import Case, Plan, acts, logins, nothing, read_team
from mergecast.rules.sentence import Passage, listed, sentence


def plan(options: DismissReviews, case: Case) -> Plan:
    reading = case.context.reading
    dismissed = _chosen(options.approved, "APPROVED", reading)
    dismissed |= _chosen(options.changes_requested, "CHANGES_REQUESTED", reading)
    if not dismissed:
        return nothing("Would dismiss no review")
    moment = " when new commits are pushed" if options.when == "synchronize" else ""
    sentences = [sentence("Would dismiss the reviews of ", *listed(logins(dismissed)), moment)]
    if options.message is not None:
        sentences.append(sentence("With the message: ", Passage(options.message)))
    return acts(*sentences)


def _chosen(choice: bool | str | tuple[str, ...], state: str, reading: SnapshotView) -> set[str]:  # noqa: FBT001
    if choice is False:
        return set()
    reviewers = set(reading.reviewers.in_state(state))
    if choice is True:
        return reviewers
    if isinstance(choice, str):
        return reviewers & _requested(reading)
    return reviewers & {login for name in choice for login in _people(name, reading)}


def _requested(reading: SnapshotView) -> set[str]:
    of_teams = {login for slug in reading.pull.requested_teams for login in reading.members(Team(None, slug))}
    return of_teams | set(reading.pull.requested_reviewers)


def _people(name: str, reading: SnapshotView) -> tuple[str, ...]:
    return reading.members(read_team(name)) if name.startswith("@") else (name,)
