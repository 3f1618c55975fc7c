"""What an audit knows of a branch, and what it found in the set-up of its queue."""

from typing import Literal

import msgspec

Certainty = Literal["sure", "if_required", "cannot_tell"]
Weight = Literal["breaks", "costs", "note"]
RULES_OF_BRANCH = "(rules)"  # the path of a finding about the rules of the branch, on line 0


class QueueRule(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of GitHub's queue on a branch, by the names of its rule `merge_queue`."""

    check_response_timeout_minutes: int | None = None
    grouping_strategy: str | None = None
    max_entries_to_build: int | None = None
    max_entries_to_merge: int | None = None
    merge_method: str | None = None
    min_entries_to_merge: int | None = None
    min_entries_to_merge_wait_minutes: int | None = None


class BranchRules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a branch; None for what could not be read."""

    required: tuple[str, ...] | None = None  # the names of the required checks
    queue: QueueRule | None = None


class KeptCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What the store knows of a check of the last 30 days; lengths are in seconds."""

    p95: float | None = None  # of the runs that passed
    wait_p95: float | None = None  # for a runner
    cancelled_at_limit: int = 0  # ends that came within 30 s of one length


class AuditQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to audit. Without the rules of the branch, it is not known whether it has a queue."""

    files: dict[str, str]  # the texts of workflow files, by path
    base_ref: str
    commit: str | None = None  # the one that has these files
    repository: str | None = None  # `owner/name`, if it is known
    rules: BranchRules = BranchRules()
    history: dict[str, KeptCheck] | None = None  # the checks that reported on groups, by name
    groups_kept: int = 0


class Finding(msgspec.Struct, frozen=True):
    rule: str
    path: str
    line: int
    certainty: Certainty
    weight: Weight
    text: str
    repair: str | None = None
    evidence: tuple[str, ...] = ()


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """Findings are sorted: sure ones and those that break something come first."""

    commit: str | None = None
    base_ref: str
    read_at: str | None = None  # when a server read the files and the rules
    rules_known: bool
    groups_kept: int
    findings: tuple[Finding, ...]

    @property
    def breaks(self) -> bool:
        """Whether something is sure to break."""
        return any(one.certainty == "sure" and one.weight == "breaks" for one in self.findings)
