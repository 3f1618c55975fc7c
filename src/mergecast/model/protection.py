"""What a base branch requires before a merge."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReviewRequirement:
    """Required reviews."""

    approvals: int = 0
    from_code_owners: bool = False
    of_last_push: bool = False


@dataclass(frozen=True, slots=True)
class BranchProtection:
    """The classic protection of a branch; without arguments, a branch that has none."""

    required_checks: tuple[str, ...] = ()
    is_strict: bool = False  # branches must be up to date before they are merged
    reviews: ReviewRequirement | None = None
    needs_resolved_threads: bool = False


@dataclass(frozen=True, slots=True)
class RequiredReviewer:
    """A reviewer that a ruleset requires, for files that match the patterns, or for all if there are none."""

    reviewer: str
    approvals: int
    file_patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BranchRule:
    """One rule of an active ruleset; fields that its type does not have are empty."""

    type: str
    required_checks: tuple[str, ...] = ()
    is_strict: bool = False
    reviews: ReviewRequirement | None = None
    needs_resolved_threads: bool = False
    required_reviewers: tuple[RequiredReviewer, ...] = ()
