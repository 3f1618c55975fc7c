"""Attributes about reviews."""

from collections.abc import Callable
from dataclasses import replace
from typing import Never

from mergecast.conditions.attribute import AllowedIn, Attribute, Count, ValueKind
from mergecast.conditions.attributes.rows import boolean, texts
from mergecast.conditions.errors import InvalidGlob, NotRecorded
from mergecast.conditions.facts.reviews import caveat
from mergecast.conditions.facts.snapshot_view import SnapshotView, recorded
from mergecast.conditions.globs.patterns import compile_glob
from mergecast.model.protection import RequiredReviewer
from mergecast.model.snapshot import Part


def _reviewers(name: str, help: str, read: Callable[[SnapshotView], tuple[str, ...]]) -> Attribute:
    row = texts(name, help, read, Part.REVIEWS, Part.PERMISSIONS, kind=ValueKind.LOGIN)
    return replace(row, caveat=caveat)


def _threads(name: str, help: str, *, resolved: bool) -> Attribute:
    """The record counts threads and does not name them."""
    count = Count(lambda view: view.threads(resolved=resolved))
    return texts(
        name, help, _not_recorded("review threads are not recorded by name"), Part.REVIEW_THREADS, count=count
    )


def _not_recorded(reason: str) -> Callable[[SnapshotView], Never]:
    def read(_: SnapshotView) -> Never:
        raise NotRecorded(reason)

    return read


def _specific_teams(view: SnapshotView) -> bool:
    """Rulesets name their reviewers by numbers that nothing in the record explains."""
    wanted = [one for rule in recorded(view.snapshot.rules, Part.RULES) for one in rule.required_reviewers]
    if any(one.approvals and _concerns(one, view) for one in wanted):
        raise NotRecorded("the members of a ruleset's required reviewers are not recorded")
    return True


def _concerns(wanted: RequiredReviewer, view: SnapshotView) -> bool:
    """Whether a changed file needs this reviewer; a pattern that we cannot read may mean any file."""
    if not wanted.file_patterns:
        return True
    try:
        globs = [compile_glob(pattern) for pattern in wanted.file_patterns]
    except InvalidGlob:
        return True
    return any(glob.matches(path) for glob in globs for path in view.paths)


REVIEW: tuple[Attribute, ...] = (
    replace(
        texts(
            "review-requested",
            "Logins and teams whose review is requested and still awaited.",
            lambda view: view.requested,
            Part.PERMISSIONS,
            kind=ValueKind.LOGIN,
            count=Count(lambda view: len(view.requested_people) + len(view.pull.requested_teams)),
        ),
        has_teams=False,
    ),
    _reviewers(
        "approved-reviews-by",
        "Reviewers with write access who approve.",
        lambda view: view.reviewers.in_state("APPROVED"),
    ),
    _reviewers(
        "changes-requested-reviews-by",
        "Reviewers with write access who ask for changes.",
        lambda view: view.reviewers.in_state("CHANGES_REQUESTED"),
    ),
    _reviewers(
        "dismissed-reviews-by",
        "Reviewers whose last review was dismissed.",
        lambda view: view.reviewers.in_state("DISMISSED"),
    ),
    _reviewers(
        "commented-reviews-by",
        "Reviewers who left a comment.",
        lambda view: view.reviewers.commented,
    ),
    _threads("review-threads-resolved", "Review threads that are resolved; count them.", resolved=True),
    _threads(
        "review-threads-unresolved", "Review threads that are not resolved; count them.", resolved=False
    ),
    Attribute(
        "github-review-decision",
        ValueKind.ENUMERATION,
        "The platform's own decision on the reviews.",
        lambda view: recorded(view.snapshot.review_decision, Part.REVIEW_DECISION).state,
        frozenset({Part.REVIEW_DECISION}),
        count=Count(),
        members=("APPROVED", "CHANGES_REQUESTED", "REVIEW_REQUIRED"),
    ),
    boolean(
        "github-require-review-from-specific-teams",
        "All reviewers that rulesets require have approved.",
        _specific_teams,
        Part.RULES,
        Part.FILES,
    ),
    boolean(
        "github-code-owner-review-satisfied",
        "Each changed file that has owners is approved by one of them.",
        _not_recorded("code owners are not recorded"),
        allowed_in=AllowedIn.INJECTED,
    ),
    boolean(
        "github-review-approved",
        "The platform's required reviews are there and nobody blocks.",
        _not_recorded("whether the platform counts enough reviews is not recorded"),
        allowed_in=AllowedIn.INJECTED,
    ),
    boolean(
        "github-require-last-push-approval",
        "The last push is approved by somebody other than its author.",
        _not_recorded("who approved the last push is not recorded"),
        allowed_in=AllowedIn.INJECTED,
    ),
)
