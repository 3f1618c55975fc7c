"""Answers of the API that are declared once: the server sends them, and commands read them."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from mergecast.queues.model.alert import END_REASONS, Evidence
from mergecast.queues.model.figures import CHANGE_FIGURES
from mergecast.queues.model.notification import Rule
from mergecast.queues.model.threshold import ORIGINS
from mergecast.queues.model.verdict import ACTS, CAUSES, CERTAINTIES, EVIDENCE_KINDS, NEARBY_RESULTS, OUTCOMES


def _one_of(*values: str) -> Meta:
    """Described, but not enforced: a later server may say more, and commands show it nevertheless."""
    return Meta(extra_json_schema={"enum": list(values)})


DateTime = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Date = Annotated[str, Meta(extra_json_schema={"format": "date"})]
Origin = Annotated[str, _one_of(*ORIGINS)]
EndReason = Annotated[str, _one_of(*END_REASONS)]
ChangedFigure = Annotated[str, _one_of(*CHANGE_FIGURES)]
VerdictCause = Annotated[str, _one_of(*CAUSES)]
VerdictCertainty = Annotated[str, _one_of(*CERTAINTIES)]
VerdictAct = Annotated[str, _one_of(*ACTS)]
VerdictOutcome = Annotated[str, _one_of(*OUTCOMES)]
EvidenceKind = Annotated[str, _one_of(*EVIDENCE_KINDS)]
NearbyResult = Annotated[str, _one_of(*NEARBY_RESULTS)]


class AlertReference(Struct, frozen=True):
    """The reference period that an alert compares with; `ratio` is null if the figure was zero then."""

    name: str
    value: float
    ratio: float | None
    limit: float


class Alert(Struct, frozen=True):
    """A figure of a queue is, or was, beyond its threshold; it keeps the value and words of its beginning."""

    id: str
    figure: str
    origin: Origin
    base_ref: str
    queue_name: str
    since: DateTime
    found_at: DateTime
    ended_at: DateTime | None
    end_reason: EndReason | None
    value: float
    threshold: float
    unit: str
    sentence: str
    advice: str
    evidence: Evidence
    reference: AlertReference | None  # of the origin `reference` only


class AlertChange(Struct, frozen=True):
    """The new level of its figure with which an alert began: one of `…/changes` of its queue, in UTC."""

    began_on: Date
    earliest: Date
    latest: Date
    before: float
    after: float
    sentence: str


class DatedAlert(Alert, frozen=True):
    """`change` is null of alerts that have ended, and if none of the figure's changes to worse is known."""

    change: AlertChange | None


class Incident(Struct, frozen=True):
    """Alerts of one queue that overlap: their ids, the cause first."""

    id: str
    base_ref: str
    queue_name: str
    since: DateTime
    ended_at: DateTime | None
    sentence: str
    alerts: tuple[str, ...]


class NotifiedIncident(Incident, frozen=True):
    """With the names of the channels that received it; null if an earlier version has sent it."""

    notified: tuple[str, ...] | None


class Alerts(Struct, frozen=True):
    """The alerts that held at some time in a period, newest first."""

    start_at: DateTime
    end_at: DateTime
    alerts: tuple[DatedAlert, ...]
    incidents: tuple[NotifiedIncident, ...]


class SetThreshold(Struct, frozen=True):
    """A threshold that a person wrote; null names mean all branches and all queues."""

    figure: str
    base_ref: str | None
    queue_name: str | None
    value: float | None  # null: the figure raises no alerts there
    alert: bool


class ThresholdReference(Struct, frozen=True):
    """The figure may be at most `limit` times what it was in a reference period."""

    name: str
    limit: float
    value: float


class Threshold(Struct, frozen=True):
    """What is still normal for a figure of a queue; a value that was set replaces the learned one."""

    figure: str
    words: str
    unit: str
    origin: Origin
    value: float | None  # null: not known yet, or switched off
    learned: float | None = None
    set: float | None = None
    alert: bool = True
    when: str | None = None  # it would speak, in words; null if it cannot
    reference: ThresholdReference | None = None


class QueueThresholds(Struct, frozen=True):
    base_ref: str
    queue_name: str
    missing: str | None  # says so if nothing is learned from the history, and why
    thresholds: tuple[Threshold, ...]


class Thresholds(Struct, frozen=True):
    queues: tuple[QueueThresholds, ...]
    set: tuple[SetThreshold, ...]


class PreviewedAlert(Struct, frozen=True):
    """An alert that a threshold would have raised."""

    since: DateTime
    found_at: DateTime
    ended_at: DateTime | None
    value: float
    threshold: float
    sentence: str


class ThresholdPreview(Struct, frozen=True):
    """Which alerts a threshold would have raised in a period, oldest first."""

    start_at: DateTime
    end_at: DateTime
    origin: Origin
    threshold: float | None  # the value that was given; otherwise that of the last alert, if there is one
    alerts: tuple[PreviewedAlert, ...]
    sentence: str


class Limits(Struct, frozen=True):
    time_to_merge_p95: float
    failure_rate: float
    ci_runs_per_merge: float


class ReferenceFigures(Struct, frozen=True):
    time_to_merge_p95: float | None
    failure_rate: float | None
    ci_runs_per_merge: float | None


class Compared(Struct, frozen=True):
    """A figure since `start_at`; `lowest_ratio` is the lowest that is plausible, and null below the limit."""

    value: float | None
    reference_value: float | None
    ratio: float | None
    limit: float
    lowest_ratio: float | None
    has_enough_data: bool
    start_at: DateTime


class ComparedFigures(Struct, frozen=True):
    time_to_merge_p95: Compared
    failure_rate: Compared
    ci_runs_per_merge: Compared


class Comparison(Struct, frozen=True):
    start_at: DateTime
    end_at: DateTime
    merges: int
    figures: ComparedFigures


class Finds(Struct, frozen=True):
    """The smallest change that an alert would find in 8 of 10 cases, by so many weeks before the period."""

    change: float | None  # 0.4: pull requests take 40 % longer to merge; null: cannot be told yet
    days: int | None
    weeks: int
    sentence: str


class ReferencePreview(Struct, frozen=True):
    merges: int
    figures: ReferenceFigures
    limits: Limits
    finds: Finds | None


class ReferencePeriod(Struct, frozen=True):
    name: str
    base_ref: str
    queue_name: str
    start_at: DateTime
    end_at: DateTime
    pinned_at: DateTime
    merges: int
    figures: ReferenceFigures
    limits: Limits
    finds: Finds | None  # null if an earlier version pinned it
    comparison: Comparison | None  # null until the first hour
    alerts: tuple[Alert, ...]  # open ones


class ReferencePeriods(Struct, frozen=True):
    reference_periods: tuple[ReferencePeriod, ...]


class SetReferencePeriod(Struct, frozen=True):
    """A reference period as settings describe it."""

    name: str
    base_ref: str
    queue_name: str
    start_at: DateTime
    end_at: DateTime
    limits: Limits


class CiPrices(Struct, frozen=True):
    """What a minute of CI costs, as decimals."""

    currency: str
    per_minute: str
    by_runner: dict[str, str]


class ChannelRules(Struct, frozen=True):
    channel: str  # its name
    rules: tuple[Rule, ...]


class Settings(Struct, frozen=True):
    """What a person has set for a repository; callers that may not manage channels see no notifications."""

    thresholds: tuple[SetThreshold, ...]
    reference_periods: tuple[SetReferencePeriod, ...]
    prices: CiPrices | None
    notifications: tuple[ChannelRules, ...] | UnsetType = UNSET


class ChangedSettings(Struct, frozen=True):
    """The settings after a change, and what it changed, in words."""

    settings: Settings
    changes: tuple[str, ...]


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
    `is_final`, as long as looks begin with the same day.
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
    """Changes that began in a period, oldest first, as they were reported at the last weekly look.

    Looks see the days since `first_day`. With another first day, after New Year or after older events were
    deleted, changes that were final may be revised.
    """

    start_at: DateTime
    end_at: DateTime
    looked_at: DateTime
    first_day: Date
    sentence: str
    changes: tuple[Change, ...]
    figures: tuple[WatchedFigure, ...]
    kept_since: DateTime | UnsetType = UNSET
