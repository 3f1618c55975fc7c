"""The result of a simulation: everything that would happen to one pull request, and why.

Condition trees are those of `mergecast.conditions.result`: every leaf with the value seen, its description,
and whether the service injected it (`condition.is_injected`).
"""

from dataclasses import dataclass
from enum import Enum

from mergecast.conditions.outcome import Outcome
from mergecast.conditions.result import GroupResult
from mergecast.configuration.models.queue_rules import PRIORITIES
from mergecast.model.pull_request import PullRequest
from mergecast.model.snapshot import QueuePlace
from mergecast.rules.sentence import Sentence

PRIORITY_WORDS = {number: word for word, number in PRIORITIES.items()}


class RuleStatus(Enum):
    """How a rule stands to the pull request."""

    MATCHING = "matching"  # its conditions hold
    POTENTIAL = "potential"  # they do not, but may come to hold
    IGNORED = "ignored"  # they cannot come to hold: head, author and merged-by do not change
    NOT_APPLICABLE = "not applicable"  # they cannot come to hold as long as the base stays
    ERROR = "error"  # they do not hold and some condition could not be evaluated
    DISABLED = "disabled"  # the document keeps the rule from running, whatever its conditions


class Effect(Enum):
    """What becomes of an action."""

    ACTS = "acts"
    NOTHING = "nothing to do"  # what it asks for is already so, or another rule did it
    WAITS = "waits"  # only what the service requires for the action is missing
    CANNOT = "cannot"  # it would fail, the sentence says why
    UNKNOWN = "not known"  # it depends on something that was not recorded, the sentence says on what


@dataclass(frozen=True, slots=True)
class ActionPlan:
    """What one action of a rule would do; `action` is its name in documents, such as `copy`."""

    action: str
    effect: Effect
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One block of a rule: the actions that share the same requirements.

    A rule whose actions have different requirements has several blocks, which follow each other and have the
    same `name`; they stand and are counted each for itself.
    """

    name: str
    description: str | None
    disabled: str | None  # the reason why the rule never runs; the status is DISABLED exactly then
    actions: tuple[str, ...]  # sorted names, empty for a rule that is only reported
    status: RuleStatus
    conditions: GroupResult  # the rule's own conditions, then the injected ones
    plans: tuple[ActionPlan, ...]
    """By action name. Matching: one for each action. Else only what is worth saying all the same: a label to
    toggle off, a check to post, an action that waits for its requirements alone. Disabled: none."""


@dataclass(frozen=True, slots=True)
class QueueResult:
    """One queue; conditions are injected ones first, then the queue's own."""

    name: str
    is_implicit: bool  # the document names no queue, and so there is one named `default`
    is_admitted: bool
    admission: GroupResult
    merging: GroupResult  # what the merge needs besides admission; no members: nothing
    merging_outcome: Outcome  # PENDING also for what only people can bring, as a queue waits for it
    reads_batch_checks: bool = False  # checks in `merging` are those of a batch pull request still to come
    commit_message: Sentence | None = None  # what the document makes of it; None: nothing


class Entrance(Enum):
    """Where a pull request stands before the queues."""

    QUEUED = "is queued"
    ENTERS = "would enter"
    WAITS = "waiting to enter"  # something would queue it as soon as a queue admits it
    CAN_ENTER = "can be queued by command"
    SHUT = "is not admitted"  # nothing would queue it, and no queue admits it


@dataclass(frozen=True, slots=True)
class Routing:
    """Which queue, how, and why."""

    entrance: Entrance
    queue: str | None  # the one meant; None when no queue admits it and none was named
    rule: str | None  # the rule that has the queue action
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class PriorityRuleResult:
    """One priority rule; every rule is evaluated, the first that matches counts."""

    name: str
    priority: int
    matches: bool
    conditions: GroupResult


@dataclass(frozen=True, slots=True)
class PriorityResult:
    """The priority in the queue; `rule` is None when none matches, which gives medium."""

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
    """The scopes of the pull request; `missing` says why they are not known."""

    names: tuple[str, ...]  # sorted
    is_barrier: bool  # it runs alone, as it touches barrier files
    barrier_files: tuple[str, ...]  # sorted paths that made it so
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class ChecksPlace:
    """Where the checks of a queued pull request run; the reasons are our own sentences, never empty."""

    in_place: bool
    reasons: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class MergeQueueResult:
    """All about the queues."""

    queues: tuple[QueueResult, ...]  # in document order
    routing: Routing
    priority: PriorityResult
    scopes: ScopesResult | None  # None: the document has no source of scopes
    checks: ChecksPlace
    place: QueuePlace | None  # where it stands in a queue now; None when in none or not recorded
    dequeue_reason: str | None  # code of its last exit; None when it never left or it is not recorded


@dataclass(frozen=True, slots=True)
class ProtectionResult:
    """One merge protection. Built-in ones have no `activity`, and those that do not concern are left out."""

    name: str
    description: str | None
    is_built_in: bool
    is_active: bool
    activity: GroupResult | None  # the conditions of `if`
    success: GroupResult  # evaluated also while inactive
    outcome: Outcome | None  # None while inactive


@dataclass(frozen=True, slots=True)
class ProtectionsResult:
    """All protections, built-in ones first, and what they come to together."""

    protections: tuple[ProtectionResult, ...]
    outcome: Outcome

    @property
    def active(self) -> tuple[ProtectionResult, ...]:
        return tuple(protection for protection in self.protections if protection.is_active)


class AutoMerge(Enum):
    """What auto-merge would do."""

    QUEUES = "queues"
    MERGES = "merges"  # now, as all protections pass
    WAITS = "waits"  # merges once the protections pass, or queues once a queue admits it
    NOTHING = "nothing"  # its conditions do not hold, or nothing would act on them


@dataclass(frozen=True, slots=True)
class AutoMergeResult:
    """Auto-merge as configured."""

    state: AutoMerge
    conditions: GroupResult  # no members: everyone
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class CommandResult:
    """One command that the document restricts.

    Leaves about the sender (`attribute.allowed_in is AllowedIn.COMMANDS`) are unknown, have no box, and say
    `depends on who runs the command` as `missing`.
    """

    command: str
    conditions: GroupResult
    allowed: tuple[str, ...] | None  # sorted logins, at most ten; None: no permissions were recorded
    more_allowed: int  # how many were left out


@dataclass(frozen=True, slots=True)
class Simulation:
    """Everything; a part that the document does not configure, or whose product is off, is None or empty."""

    pull: PullRequest
    rules: tuple[RuleResult, ...]  # blocks in document order; see RuleResult
    queue: MergeQueueResult | None
    protections: ProtectionsResult | None
    auto_merge: AutoMergeResult | None
    commands: tuple[CommandResult, ...]  # by name
    notes: tuple[Sentence, ...]

    @property
    def planned(self) -> tuple[tuple[str, ActionPlan], ...]:
        """Every plan with the name of its rule, in document order."""
        return tuple((rule.name, plan) for rule in self.rules for plan in rule.plans)

    def count(self, status: RuleStatus) -> int:
        return sum(rule.status is status for rule in self.rules)
