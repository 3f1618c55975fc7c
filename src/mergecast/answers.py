"""Answers of the API that are declared once: the server sends them, and commands read them."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from mergecast.queues.model.figures import CHANGE_FIGURES
from mergecast.queues.model.verdict import ACTS, CAUSES, CERTAINTIES, EVIDENCE_KINDS, NEARBY_RESULTS, OUTCOMES


def _one_of(*values: str) -> Meta:
    """Described, but not enforced: a later server may say more, and commands show it nevertheless."""
    return Meta(extra_json_schema={"enum": list(values)})


DateTime = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Date = Annotated[str, Meta(extra_json_schema={"format": "date"})]
ChangedFigure = Annotated[str, _one_of(*CHANGE_FIGURES)]
VerdictCause = Annotated[str, _one_of(*CAUSES)]
VerdictCertainty = Annotated[str, _one_of(*CERTAINTIES)]
VerdictAct = Annotated[str, _one_of(*ACTS)]
VerdictOutcome = Annotated[str, _one_of(*OUTCOMES)]
EvidenceKind = Annotated[str, _one_of(*EVIDENCE_KINDS)]
NearbyResult = Annotated[str, _one_of(*NEARBY_RESULTS)]


class Limits(Struct):
    time_to_merge_p95: float
    failure_rate: float
    ci_runs_per_merge: float


class Measures(Struct):
    time_to_merge_p95: float | None
    failure_rate: float | None
    ci_runs_per_merge: float | None


class Compared(Struct):
    """A figure since `start_at`; `lowest_ratio` is the lowest that is plausible, and null below the limit."""

    value: float | None
    baseline_value: float | None
    ratio: float | None
    limit: float
    lowest_ratio: float | None
    has_enough_data: bool
    start_at: DateTime


class ComparedMeasures(Struct):
    time_to_merge_p95: Compared
    failure_rate: Compared
    ci_runs_per_merge: Compared


class Comparison(Struct):
    start_at: DateTime
    end_at: DateTime
    merges: int
    figures: ComparedMeasures


class Alert(Struct):
    id: str
    baseline: str
    base_ref: str
    queue_name: str
    measure: str
    sentence: str
    began_at: DateTime
    ended_at: DateTime | None
    end_reason: str | None
    value: float
    baseline_value: float
    ratio: float | None
    limit: float


class Finds(Struct):
    """The smallest change that an alert would find in 8 of 10 cases, by so many weeks before the baseline."""

    change: float | None  # 0.4: pull requests take 40 % longer to merge; null: cannot be told yet
    days: int | None
    weeks: int
    sentence: str


class BaselinePreview(Struct):
    merges: int
    figures: Measures
    limits: Limits
    finds: Finds | None


class Baseline(Struct):
    name: str
    base_ref: str
    queue_name: str
    start_at: DateTime
    end_at: DateTime
    pinned_at: DateTime
    merges: int
    figures: Measures
    limits: Limits
    finds: Finds | None  # null if an earlier version pinned it
    comparison: Comparison | None  # null until the first hour
    alerts: list[Alert]  # current ones


class Baselines(Struct):
    baselines: list[Baseline]


class Alerts(Struct):
    alerts: list[Alert]


class Threshold(Struct, frozen=True):
    """The level of one problem from the history, and the one that was set, which takes precedence."""

    name: str
    unit: str
    learned: float | None
    set: float | None
    when: str | None = None  # it would speak, in words; null if the problem cannot be judged yet


class QueueThresholds(Struct, frozen=True):
    base_ref: str
    queue_name: str
    sentence: str | None  # says so if nothing is learned from the history, and why
    thresholds: tuple[Threshold, ...]


class AuditLine(Struct, frozen=True):
    """Who did what, when and from which address; `details` depend on `event`."""

    at: str
    event: str
    who: str
    address: str
    owner: str | None
    repository: str | None
    details: dict[str, Any]


class AuditLines(Struct, frozen=True):
    """Newest first; `next` is null on the last page."""

    lines: list[AuditLine]
    next: str | None


class CauseProbabilities(Struct, frozen=True):
    """How probable each cause of a failed check is; together 1."""

    own: float
    other: float
    flake: float
    everybody: float


class WaitFor(Struct, frozen=True):
    """What must happen first: another run passes this check, or this pull request leaves the queue."""

    check: str | UnsetType = UNSET
    pull_request: int | UnsetType = UNSET


class VerdictEvidence(Struct, frozen=True):
    """One observation behind a verdict, and the ids of the batches that show it."""

    kind: EvidenceKind
    text: str
    batches: tuple[str, ...]


class NearbyRun(Struct, frozen=True):
    """A run of others in the 6 hours before the removal; `result` is about the check that failed.

    Without names of checks, it is about the run. `failed_otherwise`: another check failed.
    """

    batch_id: str
    attempt: int
    ended_at: DateTime
    pull_requests: tuple[int, ...]
    result: NearbyResult


class VerdictBasis(Struct, frozen=True):
    """What a verdict could draw on, in this queue until then."""

    runs: int
    removals: int
    check_names: bool  # the run that failed has names of failed checks
    head_sha: bool  # the commit of this stay is known
    unchanged_returns: int  # removals that people queued again with the same commit


class RemovalVerdict(Struct, frozen=True):
    """Why a pull request was removed from a queue, and what to do next.

    `probabilities`, `passes_now` and `passes_later` are null if the reason of the removal says enough, or if
    nothing can be computed. `outcome` says what came later; null while that is open, or cannot be known.
    """

    cause: VerdictCause
    certainty: VerdictCertainty
    probabilities: CauseProbabilities | None
    passes_now: float | None
    passes_later: float | None
    act: VerdictAct
    wait_for: WaitFor | None
    checks: tuple[str, ...]
    others: tuple[int, ...]
    evidence: tuple[VerdictEvidence, ...]
    nearby: tuple[NearbyRun, ...]
    sentence: str
    basis: VerdictBasis
    judged_at: DateTime
    revision: int
    outcome: VerdictOutcome | None


class RemovalCauses(Struct, frozen=True):
    """How many removals had each cause."""

    own: int = 0
    other: int = 0
    flake: int = 0
    everybody: int = 0
    conflict: int = 0
    person: int = 0
    push: int = 0
    queue: int = 0
    platform: int = 0
    unknown: int = 0

    @property
    def counts(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__struct_fields__}


class VerdictOutcomes(Struct, frozen=True):
    """What came later: it came back unchanged and merged, or failed again; came back changed; or never did.

    `open` are those of which that is not known: it is too early, or no event names the commit.
    """

    merged: int = 0
    failed_again: int = 0
    changed: int = 0
    never_returned: int = 0
    open: int = 0


class SaidAct(Struct, frozen=True):
    """How often an act was said, and what came of it.

    `right` of the `known` ones were right: after `queue_again` and `wait`, it came back unchanged and merged;
    after `fix`, it came back changed, or failed again. Both are null for `look` and `nothing`.
    """

    act: VerdictAct
    said: int
    outcomes: VerdictOutcomes
    right: int | None
    known: int | None


class QueueVerdicts(Struct, frozen=True):
    """The verdicts of a queue; `unchanged_merged` of its `unchanged_returns` merged."""

    base_ref: str
    queue_name: str
    removals: int
    removal_causes: RemovalCauses
    acts: tuple[SaidAct, ...]
    unchanged_returns: int
    unchanged_merged: int
    sentence: str


class Verdicts(Struct, frozen=True):
    """The verdicts about removals of a period, by queue."""

    start_at: DateTime
    end_at: DateTime
    queues: tuple[QueueVerdicts, ...]


class Change(Struct, frozen=True):
    """A figure has had another level since a day, in UTC, from `earliest` to `latest`.

    `ratio` is the value after it relative to the one before, and null if that was 0. `chance` is how likely
    weeks in another order show as much. It was `first_reported_on` a Monday; no later week revises one that
    `is_final`.
    """

    figure: ChangedFigure
    began_on: Date
    earliest: Date
    latest: Date
    before: float
    after: float
    ratio: float | None
    chance: float
    first_reported_on: Date
    is_final: bool
    sentence: str


class WatchedFigure(Struct, frozen=True):
    """On how many days a figure is known, and how many more must pass before a change can be reported."""

    figure: ChangedFigure
    days: int
    missing_days: int


class Changes(Struct, frozen=True):
    """Changes that began in a period, oldest first, as they were reported at the last weekly look."""

    start_at: DateTime
    end_at: DateTime
    looked_at: DateTime
    sentence: str
    changes: tuple[Change, ...]
    figures: tuple[WatchedFigure, ...]
    kept_since: DateTime | UnsetType = UNSET
