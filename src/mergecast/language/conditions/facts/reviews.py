"""Which reviews count: whose, and which one per reviewer."""

from collections.abc import Mapping
from dataclasses import dataclass

from mergecast.queues.model.snapshot import Part, Review, Snapshot

MAY_REVIEW = frozenset({"admin", "maintain", "write"})
# Reviews by GitHub Copilot are advice. The platform uses these names in different answers.
_COPILOT = frozenset({"copilot", "copilot-pull-request-reviewer", "copilot-pull-request-reviewer[bot]"})
_COMMENTED = "COMMENTED"
_NOT_SUBMITTED = "PENDING"


@dataclass(frozen=True, slots=True)
class Reviewers:
    """Each reviewer's last decision, and the reviewers who commented."""

    decisions: Mapping[str, str]
    commented: tuple[str, ...]

    @property
    def logins(self) -> frozenset[str]:
        return frozenset((*self.decisions, *self.commented))

    def in_state(self, state: str) -> tuple[str, ...]:
        return tuple(login for login, decision in self.decisions.items() if decision == state)


def derive_reviewers(reviews: tuple[Review, ...], permissions: Mapping[str, str] | None) -> Reviewers:
    """A later comment does not withdraw a decision. If permissions are unknown, every reviewer counts."""
    decisions: dict[str, str] = {}
    commented: dict[str, None] = {}
    for review in sorted(reviews, key=_by_submission):
        if review.author is None or review.state == _NOT_SUBMITTED or not _counts(review, permissions):
            continue
        if review.state == _COMMENTED:
            commented[review.author] = None
        else:
            decisions[review.author] = review.state
    return Reviewers(decisions, tuple(commented))


def _by_submission(review: Review) -> tuple[bool, int]:
    return review.submitted_at is None, review.submitted_at or 0


def _counts(review: Review, permissions: Mapping[str, str] | None) -> bool:
    if review.is_by_bot and str(review.author).lower() in _COPILOT:
        return False
    return review.is_by_bot or permissions is None or permissions.get(str(review.author)) in MAY_REVIEW


def caveat(snapshot: Snapshot) -> str | None:
    """The remark to show when permissions were not recorded."""
    return None if snapshot.permissions is not None else f"{Part.PERMISSIONS.absent}: every reviewer counts"
