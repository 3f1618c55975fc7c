"""`dismiss_reviews`: dismiss reviews, usually after new commits."""

from collections.abc import Iterator

from mergecast.language.conditions.facts.snapshot_view import SnapshotView
from mergecast.language.conditions.values import Team
from mergecast.language.configuration.models.actions import DismissReviews
from mergecast.language.rules.actions.plan import Action, Case, Plan, acts, nothing, read_team
from mergecast.language.rules.sentence import Passage, Pieces, listed, logins, sentence
from mergecast.queues.model.snapshot import REVIEW_PARTS


def _plan(options: DismissReviews, case: Case) -> Plan:
    view = case.context.view
    dismissed = _chosen(options.approved, "APPROVED", view)
    dismissed |= _chosen(options.changes_requested, "CHANGES_REQUESTED", view)
    if not dismissed:
        return nothing("Would dismiss no review")
    moment = " when new commits are pushed" if options.when == "synchronize" else ""
    sentences = [sentence("Would dismiss the reviews of ", *listed(logins(dismissed)), moment)]
    if options.message is not None:
        sentences.append(sentence("With the message: ", Passage(options.message)))
    return acts(*sentences)


def _chosen(choice: bool | str | tuple[str, ...], state: str, view: SnapshotView) -> set[str]:  # noqa: FBT001
    """The choice is all or none, those requested as reviewers, or people and teams by name."""
    if choice is False:
        return set()
    reviewers = set(view.reviewers.in_state(state))
    if choice is True:
        return reviewers
    if isinstance(choice, str):
        return reviewers & _requested(view)
    return reviewers & {login for name in choice for login in _people(name, view)}


def _requested(view: SnapshotView) -> set[str]:
    of_teams = {login for slug in view.pull.requested_teams for login in view.members(Team(None, slug))}
    return of_teams | set(view.pull.requested_reviewers)


def _people(name: str, view: SnapshotView) -> tuple[str, ...]:
    return view.members(read_team(name)) if name.startswith("@") else (name,)


def _teams(options: DismissReviews) -> Iterator[Team | None]:
    for choice in (options.approved, options.changes_requested):
        if isinstance(choice, str):
            yield None
        elif isinstance(choice, tuple):
            yield from (read_team(name) for name in choice if name.startswith("@"))


def _describe(options: DismissReviews) -> Pieces:
    when = " after new commits" if options.when == "synchronize" else ""
    kinds = [
        word
        for word, value in (("approvals", options.approved), ("change requests", options.changes_requested))
        if value
    ]
    return (f"dismisses {' and '.join(kinds)}{when}",) if kinds else ("dismisses no review",)


ACTION = Action(_plan, _describe, needs=REVIEW_PARTS, teams=_teams)
