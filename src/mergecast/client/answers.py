"""What commands use of a server's answers; a test compares it with the server's OpenAPI document.

What a newer server adds is ignored, and what an older one lacks has a default.
"""

from functools import cached_property
from typing import Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from mergecast.client.errors import UnknownAnswer

T = TypeVar("T")
# As the server wrote it: a float would be printed as `3.0` where the server wrote `3`.
Number = int | float


class Answer(Generic[T]):
    """An answer of the server: `raw` is everything in it, for `--json`, and `value` what is declared here."""

    def __init__(self, type: type[T], raw: object) -> None:
        self._type, self.raw = type, raw

    @cached_property
    def value(self) -> T:
        """Read only when it is needed: `--json` prints answers of any form."""
        try:
            return msgspec.convert(self.raw, self._type)
        except msgspec.ValidationError as error:
            raise UnknownAnswer(str(error)) from error


class Readiness(Struct, frozen=True):
    status: str
    reason: str | None = None


class ResumeFrom(Struct, frozen=True):
    cursor: str | None


class ImportPart(Struct, frozen=True):
    share: Number


class AddedSource(Struct, frozen=True):
    id: str | None
    title: str
    name: str
    state: str
    events: int
    last_delivery_at: str | None
    error: str | None
    part: ImportPart | None = field(name="import")


class TestedSource(Struct, frozen=True):
    is_ok: bool
    sentence: str


class Receipt(Struct, frozen=True):
    """How many events were new, were already known, and were too old."""

    stored: int
    duplicates: int
    expired: int = 0


class StoredEvent(Struct, frozen=True):
    id: str
    at: str
    source: str
    pull_request: int | None = None


class Group(Struct, frozen=True):
    base_ref: str
    queue_name: str
    priority_rule_name: str | None


class Figure(Struct, frozen=True):
    value: Number | None
    before: Number | None
    change: Number | None
    count: int


class RepositoryFigures(Struct, frozen=True):
    state: str
    in_queue: int
    merged: Figure
    failure_rate: Figure
    time_in_queue_p50: Figure
    time_in_queue_p95: Figure


class ListedRepository(Struct, frozen=True):
    owner: str
    repository: str
    events: int
    first_event_at: str | None
    last_event_at: str | None

    @property
    def name(self) -> str:
        return f"{self.owner}/{self.repository}"


class RepositoryInOrder(ListedRepository, frozen=True):
    figures: RepositoryFigures


class Window(Struct, frozen=True):
    start: str
    end: str


class Queue(Struct, frozen=True):
    base_ref: str
    queue_name: str


class State(Struct, frozen=True):
    sentence: str


class PartOfCost(Struct, frozen=True):
    total: str
    total_before: str
    total_change: Number | None


class QueueCost(PartOfCost, frozen=True):
    base_ref: str
    queue_name: str


class CheckCost(PartOfCost, frozen=True):
    name: str


class Cost(Struct, frozen=True):
    """Older servers compare nothing."""

    currency: str
    total: str
    per_merge: str | None
    total_before: str | None = None
    total_change: Number | None = None
    per_merge_before: str | None = None
    per_merge_change: Number | None = None
    queues: list[QueueCost] = []
    checks: list[CheckCost] = []


class Summary(Struct, frozen=True):
    window: Window
    window_before: Window
    all: dict[str, Figure]
    queues: list[Queue]
    state: State | None = None
    kept_since: str | None = None
    cost: Cost | None = None


class Waiting(Struct, frozen=True):
    ci: Number
    capacity: Number
    schedule: Number
    freeze: Number


class Stay(Struct, frozen=True):
    session_id: str
    pull_request: int
    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    entered_at: str | None
    left_at: str | None
    reason: str | None
    seconds: Number | None
    waiting: Waiting | None
    retries: int
    head_sha: str | None = None


class Stays(Struct, frozen=True):
    total: int
    stays: list[Stay]
    kept_since: str | None = None


class FailedCiCheck(Struct, frozen=True):
    name: str
    conclusion: str | None
    url: str | None


class CiRun(Struct, frozen=True):
    batch_id: str
    attempt: int
    pull_requests: list[int]
    started_at: str | None
    ended_at: str | None
    outcome: str | None
    failed_ci_check: FailedCiCheck | None = None


class Bisection(Struct, frozen=True):
    batch_id: str
    steps: list[object]
    ended_at: str | None
    culprit_found: bool | None
    max_failures_reached: bool | None


class VerdictEvidence(Struct, frozen=True):
    text: str


class RemovalVerdict(Struct, frozen=True):
    sentence: str
    evidence: list[VerdictEvidence]


class StayInDetail(Stay, frozen=True, kw_only=True):
    checks: list[CiRun]
    bisections: list[Bisection]
    verdict: RemovalVerdict | None = None


class WaitingEvidence(Struct, frozen=True):
    expected_merges: str


class WaitingFor(Struct, frozen=True):
    sentence: str
    evidence: WaitingEvidence


class AboutPull(Struct, frozen=True):
    title: str
    author: str | None
    url: str | None


class PullHistory(Struct, frozen=True):
    pull_request: int
    pull: AboutPull | None
    stays: list[StayInDetail]
    waiting_for: WaitingFor | UnsetType | None = UNSET
    kept_since: str | None = None


class FoundPull(Struct, frozen=True):
    pull_request: int
    title: str
    author: str | None


class FoundPulls(Struct, frozen=True):
    pulls: list[FoundPull]
    next: int | None


class ExpectedMerge(Struct, frozen=True):
    p50: str
    p90: str
    chance: Number


class ShortWait(Struct, frozen=True):
    reason: str
    sentence: str
    ci_started_at: str | None
    failed_at: str | None


class LastRemoval(Struct, frozen=True):
    at: str
    reason: str
    sentence: str | None


class PullState(Struct, frozen=True):
    state: str
    since: str | None
    position: int | None
    waiting_for: ShortWait | None
    expected_merge: ExpectedMerge | None
    removal: LastRemoval | None


class FailedRun(Struct, frozen=True):
    sentence: str


class QueueEntry(Struct, frozen=True):
    position: int
    pull_request: int
    session_id: str
    priority_rule_name: str | None
    entered_at: str
    waited_seconds: Number
    batch_id: str | None
    expected_merge: ExpectedMerge | None = None
    failed: FailedRun | None = None


class EtaRange(Struct, frozen=True):
    low: Number
    high: Number


class Eta(Struct, frozen=True):
    cases: int
    p50: Number
    p90: Number
    p50_range: EtaRange | None = None
    p90_range: EtaRange | None = None


class QueueTrust(Struct, frozen=True):
    eta: Eta


class QueueContents(Queue, frozen=True):
    entries: list[QueueEntry]
    expected_merges: str | None = None
    trust: QueueTrust | None = None


class Alert(Queue, frozen=True):
    id: str
    figure: str
    since: str
    ended_at: str | None
    end_reason: str | None
    sentence: str
    advice: str


class AlertChange(Struct, frozen=True):
    sentence: str


class DatedAlert(Alert, frozen=True):
    change: AlertChange | None = None  # an older server has none


class Incident(Queue, frozen=True):
    since: str
    ended_at: str | None
    sentence: str
    alerts: list[str]


class NotifiedIncident(Incident, frozen=True):
    notified: list[str] | None  # the names of channels; None if it is not known


class Undiagnosed(Queue, frozen=True):
    sentence: str


class Queues(Struct, frozen=True):
    queues: list[QueueContents]
    alerts: list[Alert] | None = None  # an older server has none
    incidents: list[Incident] = []
    undiagnosed: list[Undiagnosed] = []


class Alerts(Struct, frozen=True):
    alerts: list[DatedAlert]
    incidents: list[NotifiedIncident]


class Spread(Struct, frozen=True):
    p50: Number | None
    p95: Number | None
    sum: Number


class FlakeEvidence(Struct, frozen=True):
    same_commit: int
    other_run: int
    built_on: int
    failed_again: int
    not_tried: int


class RateInterval(Struct, frozen=True):
    low: Number
    high: Number


class Critical(Struct, frozen=True):
    runs: int
    share: Number | None
    p50: Number | None


class CiFigures(Struct, frozen=True):
    runs: int
    failed: int
    failure_rate: Number | None
    removals: int
    blocked_seconds: Number
    flaky: int
    flake_rate: Number | None
    flake_interval: RateInterval | None
    evidence: FlakeEvidence
    seconds: Spread
    waited_seconds: Spread
    critical: Critical


class RunnerFigures(CiFigures, frozen=True):
    runner: str | None


class CiCheck(CiFigures, frozen=True):
    name: str
    by_runner: list[RunnerFigures]


class CiFailure(Struct, frozen=True):
    at: str
    conclusion: str
    pull_requests: list[int]
    url: str | None
    is_flaky: bool | None


class CiChecks(Struct, frozen=True):
    covered: Number | None
    checks: list[CiCheck]
    failures: list[CiFailure] = []
    kept_since: str | None = None


class Untranslated(Struct, frozen=True):
    reason: str
    count: int
    last_at: str


class NotKept(Struct, frozen=True):
    event: str
    action: str
    count: int


class History(Struct, frozen=True, rename={"start": "from", "end": "to"}):
    start: str
    end: str


class Following(Struct, frozen=True):
    by: str
    next_at: str | None
    error: str | None


class Translating(Struct, frozen=True):
    threads: int
    done: int


class Source(Struct, frozen=True):
    source: str
    kind: str
    last_at: str | None
    history: History | None
    deliveries: int
    events: int
    following: Following | None
    untranslated: list[Untranslated]
    not_kept: list[NotKept]
    derived_starts: int
    hint: str | None
    translating: Translating | None = None
    expired: int = 0


class Key(Struct, frozen=True):
    id: str
    name: str
    owner: str
    scopes: list[str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None


class MadeKey(Key, frozen=True):
    key: str


class ChannelResult(Struct, frozen=True):
    at: str
    detail: str


class Rule(Struct, frozen=True):
    what: str
    figures: list[str] | None = None
    origins: list[str] | None = None
    queues: list[str] | None = None


class Channel(Struct, frozen=True):
    id: str
    name: str
    kind: str
    target: str
    rules: list[Rule]
    state: str
    waiting: int
    last_result: ChannelResult | None


class AddedChannel(Channel, frozen=True):
    """Only channels of the kind webhook have a secret."""

    secret: str | None = None


class TriedChannel(Struct, frozen=True):
    is_sent: bool
    detail: str


class RebuiltRepository(Struct, frozen=True):
    repository: str
    done: int
    of: int


class VerifiedRepository(RebuiltRepository, frozen=True):
    """What is wrong with a repository; nothing else is known about one that is unreadable."""

    unreadable: str | None = None
    differences: int = 0
    wrong: int = 0
    examples: list[str] = []
