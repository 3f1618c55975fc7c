"""Histories of a queue without any rule: everything that a source may send, and more."""

from typing import NamedTuple

from hypothesis import strategies as st

from mergecast.queues.model.ci_check import CANCELLED, FAILURE, SUCCESS
from mergecast.queues.model.event import CHECK_OUTCOMES, EXIT_REASONS
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.model.verdict import Verdict
from mergecast.signals.verdict.engine import Engine
from mergecast.signals.verdict.happenings import Check, Happening, Report, RunId, Split, Stay, happenings
from verdict.queue import START

_LONGEST = 60 * 24 * 3  # minutes
_OFTEN = ("CHECKS_FAILED", "PR_MERGED", "DROPPED_BY_BISECTION_ELIMINATION")


class History(NamedTuple):
    stays: tuple[Stay, ...]
    checks: tuple[Check, ...]
    reports: tuple[Report, ...]
    splits: tuple[Split, ...]

    def happenings(self) -> list[Happening]:
        return happenings(*self)

    def until(self, at: int) -> "History":
        """What had happened up to an instant."""
        entered = [stay for stay in self.stays if (stay.entered_at or 0) <= at]
        return History(
            tuple(stay if (stay.left_at or 0) <= at else _still_open(stay) for stay in entered),
            tuple(
                check if (check.ended_at or 0) <= at else check._replace(ended_at=None, outcome=None)
                for check in self.checks
                if (check.started_at or 0) <= at
            ),
            tuple(report for report in self.reports if report.ended_at <= at),
            tuple(split for split in self.splits if split.at <= at),
        )


def _still_open(stay: Stay) -> Stay:
    return stay._replace(left_at=None, reason=None, left_sha=None)


def minutes(longest: int = _LONGEST) -> st.SearchStrategy[int]:
    return st.integers(0, longest * 6).map(lambda tenths: tenths * MINUTE // 6)


_commits = st.sampled_from([None, "a" * 40, "b" * 40])


@st.composite
def _stay(draw: st.DrawFn, number: int) -> Stay:
    entered_at = START + draw(minutes())
    left = draw(st.booleans()) or draw(st.booleans())
    return Stay(
        f"s{number}",
        draw(st.integers(1, 5)),
        entered_at,
        entered_at + draw(minutes(300)) if left else None,
        draw(st.sampled_from([*_OFTEN * 8, *EXIT_REASONS])) if left else None,
        draw(_commits),
        draw(_commits) if left else None,
    )


@st.composite
def _check(draw: st.DrawFn, stays: list[Stay]) -> Check:
    stay = draw(st.sampled_from(stays))
    started_at = (stay.entered_at or 0) + draw(minutes(60))
    has_ended = draw(st.booleans()) or draw(st.booleans())
    return Check(
        stay.session_id,
        stay.pull_request,
        RunId(f"b{draw(st.integers(1, 12))}", draw(st.integers(1, 2))),
        started_at,
        started_at + draw(minutes(60)) if has_ended else None,
        draw(st.sampled_from([*("SUCCESS", "CHECKS_FAILED") * 10, *CHECK_OUTCOMES])) if has_ended else None,
        tuple(draw(st.lists(st.integers(1, 5), max_size=4, unique=True))),
    )


@st.composite
def histories(draw: st.DrawFn) -> History:
    stays = [draw(_stay(number)) for number in range(draw(st.integers(1, 8)))]
    checks = {(c.session_id, c.run): c for c in draw(st.lists(_check(stays), max_size=20))}
    ended = [check for check in checks.values() if check.ended_at is not None]
    reports = [
        Report(
            check.run,
            draw(st.sampled_from(["unit", "lint", "e2e"])),
            (check.ended_at or 0) + draw(st.sampled_from([-1, 0, 0, 20])) * MINUTE,
            draw(st.sampled_from([SUCCESS, FAILURE, CANCELLED])),
            draw(st.sampled_from([None, MINUTE, 20 * MINUTE])),
        )
        for check in ended
        if draw(st.booleans())
    ]
    splits = {
        (check.run.batch_id, check.ended_at): Split(
            check.ended_at or 0, check.run.batch_id, check.pull_requests
        )
        for check in ended
        if draw(st.booleans())
    }
    return History(tuple(stays), tuple(checks.values()), tuple(reports), tuple(splits.values()))


def played(history: History) -> list[tuple[str, Verdict]]:
    """All verdicts, in the order in which they are found."""
    engine, found = Engine(), list[tuple[str, Verdict]]()
    happened = history.happenings()
    for happening in happened:
        found += engine.apply(happening)
    return found + engine.advance(happened[-1].at + 3000 * MINUTE)
