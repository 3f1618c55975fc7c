"""Attributes about reviews."""

from collections.abc import Callable
from dataclasses import replace
from typing import Never

from mergecast.language.conditions.attribute import AllowedIn, Attribute, Count, ValueKind
from mergecast.language.conditions.attributes.rows import boolean, texts
from mergecast.language.conditions.errors import InvalidGlob, NotRecorded
from mergecast.language.conditions.facts.reviews import caveat
from mergecast.language.conditions.facts.snapshot_view import SnapshotView, recorded
from mergecast.language.conditions.globs import compile_glob
from mergecast.queues.model.snapshot import Part, RequiredReviewer


def _reviewers(name: str, help: str, read: Callable[[SnapshotView], tuple[str, ...]]) -> Attribute:
    row = texts(name, help, read, Part.REVIEWS, Part.PERMISSIONS, kind=ValueKind.LOGIN)
    return replace(row, caveat=caveat)


def _threads(name: str, help: str, *, resolved: bool) -> Attribute:
    """Threads are recorded by number, not by name."""
    count = Count(lambda view: view.threads(resolved=resolved))
    return texts(
        name, help, _not_recorded("review threads are not recorded by name"), Part.REVIEW_THREADS, count=count
    )


def _not_recorded(reason: str) -> Callable[[SnapshotView], Never]:
    def read(_: SnapshotView) -> Never:
        raise NotRecorded(reason)

    return read


def _specific_teams(view: SnapshotView) -> bool:
    """Rulesets name their reviewers by ids that the snapshot does not resolve."""
    rules = recorded(view.snapshot.rules, Part.RULES)
    wanted = [required for rule in rules for required in rule.required_reviewers]
    if any(required.approvals and _concerns(required, view) for required in wanted):
        raise NotRecorded("the members of a ruleset's required reviewers are not recorded")
    return True


def _concerns(wanted: RequiredReviewer, view: SnapshotView) -> bool:
    """Whether a changed file needs this reviewer; an invalid pattern is taken to match any file."""
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
            "Logins and teams whose review is requested and still pending.",
            lambda view: view.requested,
            Part.PERMISSIONS,
            kind=ValueKind.LOGIN,
            count=Count(lambda view: len(view.requested_people) + len(view.pull.requested_teams)),
        ),
        has_teams=False,
    ),
    _reviewers(
        "approved-reviews-by",
        "Reviewers with write access who approved.",
        lambda view: view.reviewers.in_state("APPROVED"),
    ),
    _reviewers(
        "changes-requested-reviews-by",
        "Reviewers with write access who requested changes.",
        lambda view: view.reviewers.in_state("CHANGES_REQUESTED"),
    ),
    _reviewers(
        "dismissed-reviews-by",
        "Reviewers whose last review was dismissed.",
        lambda view: view.reviewers.in_state("DISMISSED"),
    ),
    _reviewers(
        "commented-reviews-by",
        "Reviewers who commented.",
        lambda view: view.reviewers.commented,
    ),
    _threads(
        "review-threads-resolved", "Resolved review threads; write `#review-threads-resolved`.", resolved=True
    ),
    _threads(
        "review-threads-unresolved",
        "Unresolved review threads; write `#review-threads-unresolved`.",
        resolved=False,
    ),
    Attribute(
        "github-review-decision",
        ValueKind.ENUMERATION,
        "The platform's review decision.",
        lambda view: recorded(view.snapshot.review_decision, Part.REVIEW_DECISION).state,
        frozenset({Part.REVIEW_DECISION}),
        count=Count(),
        members=("APPROVED", "CHANGES_REQUESTED", "REVIEW_REQUIRED"),
    ),
    boolean(
        "github-require-review-from-specific-teams",
        "Every reviewer that a ruleset requires has approved.",
        _specific_teams,
        Part.RULES,
        Part.FILES,
        allowed_in=AllowedIn.INJECTED,
    ),
    boolean(
        "github-code-owner-review-satisfied",
        "A code owner has approved each changed file that has owners.",
        _not_recorded("code owners are not recorded"),
        allowed_in=AllowedIn.INJECTED,
    ),
    boolean(
        "github-review-approved",
        "The reviews that the platform requires are present, and no review blocks.",
        _not_recorded("whether the platform counts enough reviews is not recorded"),
        allowed_in=AllowedIn.INJECTED,
    ),
    boolean(
        "github-require-last-push-approval",
        "Someone other than the author of the last push has approved it.",
        _not_recorded("who approved the last push is not recorded"),
        allowed_in=AllowedIn.INJECTED,
    ),
)
