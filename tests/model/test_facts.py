"""Facts from sets of statements, without a store."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.facts import (
    Check,
    Run,
    Statement,
    derive_checks,
    derive_runs,
    derive_stays,
    settle,
)


def statement(type: str, at: int, id: str = "x", **fields: Any) -> Statement:
    nothing = dict.fromkeys(Statement._fields)
    return Statement(
        **{**nothing, "type": type, "happened_at": at, "id": id, "repository_id": 1, "group_id": 7, **fields}
    )


def _stay(*statements: Statement) -> tuple[int | None, int | None, int | None]:
    settled = settle(statements)
    (stay,) = derive_stays(settled, derive_checks(settled))
    return stay.queue_time, stay.ci_runtime, stay.idle_capacity


def _check(start: int, end: int | None, run: int) -> list[Statement]:
    said = [statement("checks_started", start, stay=1, run=run, batch_size=1)]
    if end is not None:
        said.append(statement("checks_ended", end, stay=1, run=run, outcome="SUCCESS"))
    return said


def test_overlapping_checks_count_once() -> None:
    """CI runtime is the length of the union of the spans."""
    stay = _stay(
        statement("queue_entered", 0, stay=1),
        *_check(10, 30, 2),
        *_check(20, 40, 3),
        *_check(12, 13, 4),
        statement("queue_left", 100, stay=1, reason="PR_MERGED", schedule_wait=5, freeze_wait=0),
    )

    assert (100, 30, 65) == stay


def test_checks_are_clipped_to_the_stay() -> None:
    """A check without an end runs to the end of the stay; one outside the stay adds nothing."""
    stay = _stay(
        statement("queue_entered", 50, stay=1),
        *_check(0, 60, 2),
        *_check(90, None, 3),
        *_check(200, 300, 4),
        *_check(10, 20, 5),
        *_check(70, 65, 6),
        statement("queue_left", 100, stay=1, reason="PR_MERGED", schedule_wait=0, freeze_wait=0),
    )

    assert (50, 20, 30) == stay


def test_a_negative_stay_counts_as_zero() -> None:
    """Clocks can disagree."""
    stay = _stay(
        statement("queue_entered", 100, stay=1),
        *_check(10, 60, 2),
        statement("queue_left", 50, stay=1, reason="PR_MERGED", schedule_wait=0, freeze_wait=0),
    )

    assert (0, 0, 0) == stay


def test_the_earliest_statement_counts_then_the_smallest_id() -> None:
    """The order of the statements does not matter."""
    early = statement("queue_entered", 5, "b", stay=1, group_id=1)
    tied = statement("queue_entered", 5, "a", stay=1, group_id=2)
    late = statement("queue_entered", 6, "0", stay=1, group_id=3)

    for order in ((early, tied, late), (late, tied, early), (tied, late, early)):
        assert [tied] == list(settle(order)["queue_entered"].values())


@pytest.mark.parametrize(
    ("entering", "leaving", "commit"),
    [
        ("a" * 40, "a" * 40, "a" * 40),
        ("a" * 40, None, "a" * 40),
        (None, "a" * 40, "a" * 40),
        ("a" * 40, "b" * 40, None),
        (None, None, None),
    ],
)
def test_the_commit_of_a_stay(entering: str | None, leaving: str | None, commit: str | None) -> None:
    """It is known if entering and leaving do not contradict each other."""
    settled = settle(
        [
            statement("queue_entered", 0, stay=1, head_sha=entering),
            statement("queue_entered", 1, "later", stay=1, head_sha="c" * 40),
            statement("queue_left", 9, stay=1, head_sha=leaving, reason="UNKNOWN"),
        ]
    )

    (stay,) = derive_stays(settled, [])

    assert commit == stay.head_sha


def test_a_run_appears_in_each_group_with_a_start_or_a_verdict() -> None:
    """Its start, end and size are those of the whole run."""
    checks = [
        Check(1, 1, 9, 10, 7, 2, 50, 8, "SUCCESS"),
        Check(1, 2, 9, 5, 7, 3, 60, 9, "PR_DEQUEUED"),
    ]

    expected = [Run(1, 9, 7, True, False, 5, 60, 3), Run(1, 9, 8, False, True, 5, 60, 3)]

    assert expected == derive_runs(checks)


_SPANS = st.lists(st.tuples(st.integers(0, 60), st.none() | st.integers(0, 60)), max_size=6)


@given(st.integers(0, 60), st.integers(0, 60), _SPANS)
def test_ci_runtime_is_the_number_of_instants_covered(
    entered: int, left: int, spans: list[tuple[int, int | None]]
) -> None:
    """Compared with a count of every instant."""
    checks = [said for run, (start, end) in enumerate(spans) for said in _check(start, end, run + 2)]
    exit_ = statement("queue_left", left, stay=1, reason="UNKNOWN", schedule_wait=0, freeze_wait=0)

    _, runtime, _ = _stay(statement("queue_entered", entered, stay=1), *checks, exit_)

    covered = [
        t
        for t in range(entered, left)
        if any(start <= t < (left if end is None else end) for start, end in spans)
    ]
    assert len(covered) == runtime
