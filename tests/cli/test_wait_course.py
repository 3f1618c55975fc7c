"""Which changes of a pull request end the waiting, and which are reported."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from mergecast.cli.wait_course import Course, Ends, Outcome, Until, noted
from mergecast.queues.answers.pulls import PullState, Removal, ShortWait
from mergecast.queues.answers.queue import ExpectedMerge
from mergecast.queues.model.zone import Zone

_BEGUN = datetime(2026, 3, 5, 12, tzinfo=UTC)
_UTC = Zone(UTC, "UTC")
_UNKNOWN = PullState(7, "unknown")


def _at(minutes: float) -> str:
    return (_BEGUN + timedelta(minutes=minutes)).isoformat().replace("+00:00", "Z")


def _queued(since: float, removed: float | None = None, **fields: object) -> PullState:
    nothing = dict.fromkeys(("until", "ci_started_at", "failed_at"))
    waiting = {"reason": "ci", "sentence": "First in `a`", **nothing, **fields}
    expected = waiting.pop("expected", None)
    removal = None if removed is None else _removal(removed)
    waits = ShortWait(**waiting)  # type: ignore[arg-type]
    return PullState(7, "in_queue", _at(since), 1, waits, expected, "known", removal)  # type: ignore[arg-type]


def _removal(minutes: float) -> Removal:
    return Removal(_at(minutes), "PR_DEQUEUED", False, None, None, None)


def _removed(minutes: float) -> PullState:
    return PullState(7, "removed", _at(minutes), removal=_removal(minutes))


def _outcomes(*states: PullState, until: Until = Until.MERGED, through: bool = False) -> list[Outcome | None]:
    course, ends, found = Course(), Ends(until, through, _BEGUN, again=True), []
    for state in states:
        course, outcome = course.after(state, ends)
        found.append(outcome)
    return found


@pytest.mark.parametrize(
    ("states", "last"),
    [
        ((_removed(-9), _removed(-9)), None),
        ((_UNKNOWN, _removed(-9)), None),
        ((_removed(1),), Outcome.REMOVED),
        ((_UNKNOWN, _removed(1)), Outcome.REMOVED),
        ((_queued(-20), _removed(-9)), Outcome.REMOVED),
        ((_queued(-20, removed=-30), _queued(1, removed=-30)), None),
        ((_queued(-20, removed=-30), _queued(1, removed=0.5)), Outcome.REMOVED),
        ((_queued(-20), _queued(-20, removed=-900)), None),
        ((_queued(-20), _queued(-20, removed=-900), _removed(1)), Outcome.REMOVED),
        ((_removed(-9), _queued(1, removed=-9), _removed(2)), Outcome.REMOVED),
    ],
    ids=[
        "before the command began",
        "before the command began, and stored later",
        "before the first look, after the command began",
        "entered and left between two looks",
        "while it was seen in the queue, although the event is old",
        "queued again without another removal",
        "removed and queued again between two looks",
        "an old removal that is imported meanwhile",
        "and then a new one",
        "queued again after an earlier removal",
    ],
)
def test_only_a_new_removal_ends_it(states: tuple[PullState, ...], last: Outcome | None) -> None:
    assert [*[None] * (len(states) - 1), last] == _outcomes(*states)
    assert last == _outcomes(*states, until=Until.LEFT)[-1]
    assert None is _outcomes(*states, through=True)[-1]


@pytest.mark.parametrize("until", Until)
def test_one_that_was_removed_before_ends_it_at_once(until: Until) -> None:
    """Unless it is said that it will be queued again, or that removals do not matter."""
    ends = Ends(until, False, _BEGUN)

    assert Outcome.REMOVED == Course().after(_removed(-900), ends)[1]
    assert None is Course().after(_removed(-900), replace(ends, again=True))[1]
    assert None is Course().after(_removed(-900), replace(ends, through_removals=True))[1]
    assert None is Course().after(_queued(-20, removed=-900), ends)[1]


def test_only_news_is_told() -> None:
    """Neither that time passes, nor that the expected merge moves by a minute."""

    def expected(minutes: float) -> ExpectedMerge:
        return ExpectedMerge(_at(minutes), _at(minutes), 1)

    states = [
        _queued(-20),
        _queued(-20, sentence="later"),
        _queued(-20, sentence="expected", expected=expected(30)),
        _queued(-20, sentence="a minute later", expected=expected(31)),
        _queued(-20, sentence="ten minutes later", expected=expected(40)),
        _queued(-20, sentence="unknown again"),
        _queued(-20, sentence="failed", failed_at=_at(1)),
        _removed(2),
        _queued(3, removed=2, sentence="again"),
    ]
    course, told = Course(), list[str]()
    for state in states:
        before = course
        course = noted(course.after(state, Ends(Until.MERGED, True, _BEGUN))[0])
        told += course.lines(before, _UTC)

    left = "removed from the queue"
    assert [
        "First in `a`",
        "expected",
        "ten minutes later",
        "failed",
        f"removed: {left}",
        f"not in a queue since 2026-03-05 12:02: {left}; waiting until it is queued again",
        "again",
    ] == told
