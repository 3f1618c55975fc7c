"""Since when a figure has another level, as daily looks show it."""

from functools import cache

import pytest

from changes.days import MONDAY, found_in, from_day, only_length, usual, weeks
from mergecast.queues.model.figures import CHANGE_FIGURES
from mergecast.queues.model.queue_changes import FigureDays, LevelChange, QueueDay
from mergecast.signals.changes.looks import find_changes

_SLOWER = from_day(90, length=1.5)
_OF_LENGTH = ["passed_run_p50", "time_to_merge_p50", "time_to_merge_p95"]


def test_nothing_is_reported_while_every_level_stays_the_same() -> None:
    assert found_in(weeks(26)) == []


def test_slower_ci_is_reported_with_its_day_and_both_levels() -> None:
    (one,) = _after(26)
    assert one.figure == "passed_run_p50"
    assert abs(one.day - (MONDAY + 90)) <= 1
    assert one.earliest <= MONDAY + 90 <= one.latest
    assert one.before == pytest.approx(900, rel=0.03)
    assert one.after == pytest.approx(1350, rel=0.03)


def test_figures_that_do_not_change_are_not_reported() -> None:
    assert [one.figure for one in found_in(weeks(26, _SLOWER))] == _OF_LENGTH


@pytest.mark.parametrize(
    ("multiples", "figure"), [({"load": 2.0}, "entered_per_day"), ({"failures": 3.0}, "failure_rate")]
)
def test_more_load_and_more_failures_are_reported(multiples: dict[str, float], figure: str) -> None:
    found = [one for one in found_in(weeks(26, from_day(90, **multiples))) if one.figure == figure]
    assert len(found) == 1
    assert abs(found[0].day - (MONDAY + 90)) <= 4


@cache
def _after(number: int) -> list[LevelChange]:
    """What is shown after this many weeks of which only the length of CI runs is known."""
    return found_in([only_length(day) for day in weeks(number, _SLOWER)])


def _until(days: int) -> list[LevelChange]:
    return list(find_changes([only_length(day) for day in weeks(26, _SLOWER)], MONDAY + days).changes)


def test_five_looks_in_a_row_must_agree_before_a_change_is_told() -> None:
    """A division needs five days of the new level, and four more looks the same day, about."""
    first = next(days for days in range(91, 110) if _until(days))

    (one,) = _until(first)
    assert MONDAY + first == one.shown_on
    assert 97 <= first <= 104


def test_what_was_told_stays_as_it_is() -> None:
    assert _until(110) == _until(150) == _until(182) != []


def test_a_second_change_is_found_after_the_first() -> None:
    def twice(place: int) -> dict[str, float]:
        return {"length": 1.0 if place < 90 else 1.5 if place < 180 else 1.0}

    found = found_in([only_length(day) for day in weeks(40, twice)])
    assert [round(one.day - MONDAY, -1) for one in found] == [90, 180]
    assert [one.after > one.before for one in found] == [True, False]


def test_a_change_below_a_tenth_is_not_reported() -> None:
    assert found_in(weeks(26, from_day(90, length=1.08))) == []


def test_two_bad_days_are_no_new_level() -> None:
    found = found_in(weeks(26, lambda place: {"length": 2.0 if 91 <= place < 93 else 1.0}))
    assert found == []


def test_holidays_are_not_fewer_arrivals() -> None:
    found = found_in(weeks(26, lambda place: {"load": 0.1 if 112 <= place < 126 else 1.0}))
    assert found == []


def test_a_day_with_few_merges_is_missing() -> None:
    days = [usual(MONDAY + place, load=0.05) for place in range(70)]
    assert max(day.merged for day in days) < 5
    assert find_changes(days, MONDAY + 70).figures[0] == FigureDays("time_to_merge_p50", 0, 14)


@pytest.mark.parametrize(("number", "missing"), [(1, 7), (2, 0), (20, 0)])
def test_too_little_history_says_how_many_days_are_missing(number: int, missing: int) -> None:
    days = [only_length(day) for day in weeks(number)]
    assert {one.missing for one in find_changes(days, MONDAY + 7 * number).figures if one.known} == {missing}


def test_waiting_for_machines_is_known_only_with_reports_about_checks() -> None:
    days = [day._replace(ci_reports=0, waited=0.0) for day in weeks(10)]
    assert find_changes(days, MONDAY + 70).figures[-1] == FigureDays("waiting_machines", 0, 14)


def test_every_figure_of_the_answer_is_looked_at() -> None:
    assert tuple(one.figure for one in find_changes([], MONDAY).figures) == CHANGE_FIGURES


def test_no_days_give_no_changes() -> None:
    assert find_changes([], MONDAY).changes == ()
    assert find_changes([QueueDay(MONDAY + 3)], MONDAY + 7).changes == ()
