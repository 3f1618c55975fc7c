"""What a list of events says, settled once for the repository: sections 1 and 2 of the definitions."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any

Wire = dict[str, Any]
Group = tuple[str, str, str | None]
Subject = tuple[object, ...]

MERGED = ("PR_MERGED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED")
VERDICTS = ("SUCCESS", "CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(text: str) -> int:
    """Since the epoch; further digits than six of a second are cut."""
    return (datetime.fromisoformat(text) - _EPOCH) // timedelta(microseconds=1)


@dataclass(frozen=True)
class Said:
    """One event: when, of which group, and all its fields."""

    at: int
    group: Group
    fields: Wire


@dataclass(frozen=True)
class Run:
    """One CI run as a whole."""

    start: int | None
    end: int | None
    size: int
    started_in: set[Group]
    judged_in: set[Group]

    @property
    def groups(self) -> set[Group]:
        """Where it started or got a verdict."""
        return self.started_in | self.judged_in


class Facts:
    """For each kind of thing and each subject, the one event that counts."""

    def __init__(self, events: Iterable[Wire]) -> None:
        self.all = sorted(map(_said, events), key=lambda one: (one.at, one.fields["id"]))
        self.entered = self._settle("queue_entered", "session_id")
        self.left = self._settle("queue_left", "session_id")
        self.started = self._settle("checks_started", "session_id", "batch_id", "attempt")
        self.ended = self._settle("checks_ended", "session_id", "batch_id", "attempt")
        self.bisection_started = self._settle("bisection_started", "batch_id", "depth")
        self.bisection_ended = self._settle("bisection_ended", "batch_id")

    def _settle(self, type: str, *names: str) -> dict[Subject, Said]:
        """The earliest event of each subject; at equal instants the one with the smallest id."""
        counting: dict[Subject, Said] = {}
        for said in self.all:
            if said.fields["type"] == type:
                counting.setdefault(tuple(said.fields.get(name, 1) for name in names), said)
        return counting

    def stay_seconds(self, session: Subject) -> int:
        """Left - entered in microseconds; a negative duration counts as 0."""
        return max(0, self.left[session].at - self.entered[session].at)

    def ci_runtime(self, session: Subject) -> int:
        """Length of the union of the checks' spans, clipped to the stay."""
        entered, left = self.entered[session].at, self.left[session].at
        spans = []
        for check, start in self.started.items():
            if check[:1] == session:
                end = self.ended[check].at if check in self.ended else left
                spans.append((max(start.at, entered), min(end, left)))
        cuts = sorted({instant for span in spans for instant in span})
        return sum(b - a for a, b in pairwise(cuts) if any(start <= a and b <= end for start, end in spans))

    def retries(self, session: Subject) -> int:
        return sum(
            check[:1] == session and end.fields["outcome"] == "CHECKS_RETRIED"
            for check, end in self.ended.items()
        )

    @cached_property
    def runs(self) -> list[Run]:
        """Every CI run, known by (batch_id, attempt)."""
        names = {check[1:] for check in [*self.started, *self.ended]}
        return [self._run(name) for name in names]

    def _run(self, name: Subject) -> Run:
        starts = [said for check, said in self.started.items() if check[1:] == name]
        ends = [said for check, said in self.ended.items() if check[1:] == name]
        return Run(
            start=min((said.at for said in starts), default=None),
            end=max((said.at for said in ends), default=None),
            size=max((len(said.fields["batch_pull_requests"]) for said in starts), default=0),
            started_in={said.group for said in starts},
            judged_in={said.group for said in ends if said.fields["outcome"] in VERDICTS},
        )

    def queue_spans(self) -> list[tuple[Group, int, int | None]]:
        """Group, entering and end of every stay that was in a queue; None: it still is."""
        return [
            (entry.group, entry.at, self._end_in_queue(session, entry))
            for session, entry in self.entered.items()
        ]

    def _end_in_queue(self, session: Subject, entry: Said) -> int | None:
        if session in self.left:
            return self.left[session].at
        later = [
            other.at
            for other in self.entered.values()
            if other.at > entry.at
            and other.fields["pull_request"] == entry.fields["pull_request"]
            and other.group[:2] == entry.group[:2]
        ]
        return min(later, default=None)


def _said(event: Wire) -> Said:
    group = (event["base_ref"], event["queue_name"], event.get("priority_rule_name"))
    return Said(microseconds(event["at"]), group, event)
