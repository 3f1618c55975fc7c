"""What a base branch asks for before something may be merged into it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReviewRequirement:
    """Reviews that are required."""

    approvals: int = 0
    from_code_owners: bool = False
    of_last_push: bool = False


@dataclass(frozen=True, slots=True)
class BranchProtection:
    """The classic protection of a branch; as built without arguments: a branch that has none."""

    required_checks: tuple[str, ...] = ()
    is_strict: bool = False  # a branch must be up to date with its base
    reviews: ReviewRequirement | None = None
    needs_resolved_threads: bool = False


@dataclass(frozen=True, slots=True)
class RequiredReviewer:
    """A reviewer that a ruleset asks for, on files of these patterns or, without patterns, always."""

    reviewer: str
    approvals: int
    file_patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BranchRule:
    """One rule of a ruleset that is active on the base branch; what its type does not carry is empty."""

    type: str
    required_checks: tuple[str, ...] = ()
    is_strict: bool = False
    reviews: ReviewRequirement | None = None
    needs_resolved_threads: bool = False
    required_reviewers: tuple[RequiredReviewer, ...] = ()
