"""What commands use of answers that the server does not declare in `mergecast/queues/answers/`.

A test compares it with the server's OpenAPI document. What a newer server adds is ignored, and what an older
one lacks has a default.
"""

from functools import cached_property
from typing import Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from mergecast.client.errors import UnknownAnswer
from mergecast.queues.answers.alerts import Alert, Incident, Silence, Undiagnosed
from mergecast.queues.answers.pulls import AboutPull, Bisection, ListedStay
from mergecast.queues.answers.queue import Entry, QueueTrust
from mergecast.queues.answers.repositories import ListedRepository, RowFigures
from mergecast.queues.answers.sources import PolledSource
from mergecast.queues.answers.summary import Cost, Figure, Span
from mergecast.queues.answers.verdicts import RemovalVerdict

P = TypeVar("P")
T = TypeVar("T")


class Answer(Generic[T]):
    """An answer of the server: `raw` is everything in it, for `--json`, and `value` what is declared."""

    def __init__(self, type: type[T], raw: object) -> None:
        self._type, self.raw = type, raw

    @cached_property
    def value(self) -> T:
        """Read only when it is needed: `--json` prints answers of any form."""
        return self.part(self._type)

    def part(self, type: type[P]) -> P:
        """What another type declares of it."""
        try:
            return msgspec.convert(self.raw, type)
        except msgspec.ValidationError as error:
            raise UnknownAnswer(str(error)) from error


class Line(Struct, frozen=True):
    """The place of a request among those that wait; 0 if its turn has come."""

    position: int


class Step(Struct, frozen=True):
    """A value before the whole answer: a place in line, or something about the work."""

    line: Line | None = None


class Readiness(Struct, frozen=True):
    status: str
    reason: str | None = None


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


class RepositoryInOrder(ListedRepository, frozen=True):
    figures: RowFigures


class Queue(Struct, frozen=True):
    base_ref: str
    queue_name: str


class QueueFigures(Queue, frozen=True):
    merged: Figure


class State(Struct, frozen=True):
    sentence: str


class Summary(Struct, frozen=True):
    window: Span
    window_before: Span
    all: dict[str, Figure]
    queues: list[QueueFigures]
    state: State | None = None
    kept_since: str | None = None
    cost: Cost | None = None


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


class StayInDetail(ListedStay, frozen=True, kw_only=True):
    checks: list[CiRun]
    bisections: list[Bisection]
    verdict: RemovalVerdict | None = None


class WaitingEvidence(Struct, frozen=True):
    expected_merges: str


class WaitingFor(Struct, frozen=True):
    sentence: str
    evidence: WaitingEvidence


class PullHistory(Struct, frozen=True):
    pull_request: int
    pull: AboutPull | None
    stays: list[StayInDetail]
    waiting_for: WaitingFor | UnsetType | None = UNSET
    kept_since: str | None = None


class QueueContents(Queue, frozen=True):
    entries: list[Entry]
    expected_merges: str | None = None
    trust: QueueTrust | None = None


class Queues(Struct, frozen=True):
    queues: list[QueueContents]
    alerts: list[Alert] | None = None  # an older server has none
    incidents: list[Incident] = []
    undiagnosed: list[Undiagnosed] = []
    polled: list[PolledSource] = []
    silence: Silence | None = None


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
