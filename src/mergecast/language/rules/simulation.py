"""The result of a simulation: everything that would happen to one pull request, and why.

Condition trees are those of `language/conditions/result.py`: each leaf has the value it saw, a description,
and `condition.is_injected` if the service added it.
"""

from dataclasses import dataclass
from enum import Enum

from mergecast.language.conditions.result import GroupResult, Outcome
from mergecast.language.configuration.models.queue_rules import PRIORITIES
from mergecast.language.rules.sentence import Sentence
from mergecast.queues.model.snapshot import PullRequest, QueuePlace

PRIORITY_WORDS = {number: word for word, number in PRIORITIES.items()}


class RuleStatus(Enum):
    """Whether a rule matches the pull request, or could."""

    MATCHING = "matching"  # its conditions hold
    POTENTIAL = "potential"  # they do not hold, but may later
    IGNORED = "ignored"  # they can never hold: head, author and merged-by do not change
    NOT_APPLICABLE = "not applicable"  # they cannot hold unless the base changes
    ERROR = "error"  # they do not hold, and some condition could not be evaluated
    DISABLED = "disabled"  # the document disables the rule


class Effect(Enum):
    """What happens to an action."""

    ACTS = "acts"
    NOTHING = "nothing to do"  # everything is already as it should be, or another rule did it
    WAITS = "waits"  # only requirements that the service adds are missing
    CANNOT = "cannot"  # it would fail; the sentence says why
    UNKNOWN = "not known"  # it depends on a part that was not recorded; the sentence says which


@dataclass(frozen=True, slots=True)
class ActionPlan:
    """What one action of a rule would do; `action` is its name in documents, such as `copy`."""

    action: str
    effect: Effect
    sentences: tuple[Sentence, ...]
    queue: str | None = None  # the queue that the pull request would enter, now or later


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One block of a rule: the actions that share the same requirements.

    A rule whose actions have different requirements has several blocks in a row with the same `name`. Each
    block has its own status and is counted separately.
    """

    name: str
    description: str | None
    disabled: str | None  # the reason; None unless the status is DISABLED
    actions: tuple[str, ...]  # sorted names; empty for a rule without actions
    status: RuleStatus
    conditions: GroupResult  # the rule's own conditions, then the injected ones
    plans: tuple[ActionPlan, ...]
    """Sorted by action. A matching rule has one plan per action, a disabled rule none. Other rules have plans
    only for what happens anyway: a label to toggle off, a check to post, an action that waits."""


@dataclass(frozen=True, slots=True)
class QueueResult:
    """One queue. In both groups, injected conditions come first, then the queue's own."""

    name: str
    is_implicit: bool  # the document defines no queue, so there is one named `default`
    is_admitted: bool
    admission: GroupResult
    merging: GroupResult  # what a merge requires in addition to admission
    merging_outcome: Outcome  # PENDING also while only people can act, because a queue waits
    reads_batch_checks: bool = False  # checks in `merging` run on a future batch pull request
    commit_message: Sentence | None = None  # None: the repository's default


class Entrance(Enum):
    """Whether a pull request is in a queue, or how it can get into one."""

    QUEUED = "is queued"
    ENTERS = "would enter"
    WAITS = "waiting to enter"  # it enters as soon as a queue admits it
    BLOCKED = "is blocked"  # the base branch does not let a queue merge
    CAN_ENTER = "can be queued by command"
    SHUT = "is not admitted"  # no queue admits it, and nothing would queue it


@dataclass(frozen=True, slots=True)
class Routing:
    """Which queue the pull request is in or would enter, and why."""

    entrance: Entrance
    queue: str | None  # None if no queue admits it and no rule names one
    rule: str | None  # the rule with the queue action
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class PriorityRuleResult:
    """One priority rule. All are evaluated, and the first that matches sets the priority."""

    name: str
    priority: int
    matches: bool
    conditions: GroupResult


@dataclass(frozen=True, slots=True)
class PriorityResult:
    """The priority in the queue. If no rule matches, `rule` is None and the priority is medium."""

    value: int
    rule: str | None
    allows_interruption: bool
    rules: tuple[PriorityRuleResult, ...]

    @property
    def word(self) -> str:
        """`low`, `medium` or `high`, or the number."""
        return PRIORITY_WORDS.get(self.value, str(self.value))


@dataclass(frozen=True, slots=True)
class ScopesResult:
    """The scopes of the pull request; if they are not known, `missing` says why."""

    names: tuple[str, ...]  # sorted
    is_barrier: bool  # it changes barrier files, so it is checked alone
    barrier_files: tuple[str, ...]  # sorted
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class ChecksPlace:
    """Where the checks of a queued pull request run, with at least one reason."""

    in_place: bool
    reasons: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class MergeQueueResult:
    """Everything about queues."""

    queues: tuple[QueueResult, ...]  # in document order
    routing: Routing
    priority: PriorityResult
    scopes: ScopesResult | None  # None: the document configures no scopes
    checks: ChecksPlace
    place: QueuePlace | None  # None if it is in no queue, or that was not recorded
    dequeue_reason: str | None  # code of its last exit; None if there was none, or it was not recorded


@dataclass(frozen=True, slots=True)
class ProtectionResult:
    """One merge protection. Built-in ones have no `activity` and are listed only if they apply."""

    name: str
    description: str | None
    is_built_in: bool
    is_active: bool
    activity: GroupResult | None  # the conditions of `if`
    success: GroupResult  # evaluated even while inactive
    outcome: Outcome | None  # None while inactive


@dataclass(frozen=True, slots=True)
class ProtectionsResult:
    """All protections, built-in ones first, and their combined outcome."""

    protections: tuple[ProtectionResult, ...]
    outcome: Outcome

    @property
    def active(self) -> tuple[ProtectionResult, ...]:
        return tuple(protection for protection in self.protections if protection.is_active)

    @property
    def holding_back(self) -> tuple[ProtectionResult, ...]:
        """The active protections that do not pass."""
        return tuple(protection for protection in self.active if protection.outcome is not Outcome.SUCCESS)


class AutoMerge(Enum):
    """What auto-merge would do."""

    QUEUES = "queues"
    MERGES = "merges"  # all protections pass
    WAITS = "waits"  # it acts once the protections pass or a queue admits the pull request
    NOTHING = "nothing"  # for example because its conditions do not hold


@dataclass(frozen=True, slots=True)
class AutoMergeResult:
    """Auto-merge, if it is configured."""

    state: AutoMerge
    conditions: GroupResult  # no members: every pull request
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class ConflictResolution:
    """The files in which the merge queue would resolve conflicts."""

    state: Sentence
    resolvers: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class CommandResult:
    """One command that the document restricts.

    Leaves about the sender (`attribute.allowed_in is AllowedIn.COMMANDS`) are unknown; their `missing` is
    `depends on who runs the command`, and reports show no box for them.
    """

    command: str
    conditions: GroupResult
    allowed: tuple[str, ...] | None  # at most ten sorted logins; None if permissions were not recorded
    more_allowed: int  # the number of further logins


@dataclass(frozen=True, slots=True)
class Simulation:
    """The whole result. Parts that are not configured, or whose product is off, are None or empty."""

    pull: PullRequest
    products: frozenset[str] | None  # the enabled products; None if they were never set
    rules: tuple[RuleResult, ...]  # blocks in document order; see RuleResult
    queue: MergeQueueResult | None
    protections: ProtectionsResult | None
    auto_merge: AutoMergeResult | None
    conflicts: ConflictResolution | None
    commands: tuple[CommandResult, ...]  # by name
    notes: tuple[Sentence, ...]

    def lacks(self, product: str) -> bool:
        """Whether the product is known to be off."""
        return self.products is not None and product not in self.products

    @property
    def planned(self) -> tuple[tuple[str, ActionPlan], ...]:
        """Every plan with the name of its rule, in document order."""
        return tuple((rule.name, plan) for rule in self.rules for plan in rule.plans)

    def count(self, status: RuleStatus) -> int:
        return sum(rule.status is status for rule in self.rules)
