"""Why figures differ between two periods of worlds in which it is known."""

from dataclasses import replace
from functools import cache
from math import isclose

import pytest

from mergecast.forecasting.explanation.answer import Explained, FigureExplained
from mergecast.forecasting.explanation.explain import NotCovered, too_little
from mergecast.forecasting.explanation.policies import SettingsChange, changed_within
from mergecast.forecasting.explanation.sides import with_rules
from mergecast.forecasting.forecast.requirements import LEAST_DAYS, LEAST_MERGED
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.instant import DAY, Window
from worlds.changes import queue
from worlds.events import history_of
from worlds.explained import AFTER, BEFORE, Played, explained, side_of
from worlds.world import START, World

pytestmark = pytest.mark.thorough

WORLD = World(3, days=56, pulls_per_day=30, weekend=0.3, length_median=14, length_drift=0.02, day_noise=0.1)
POLICY = queue(2, 2)


def _explained(after: World = WORLD, policy: Policy = POLICY) -> Explained[float]:
    found = explained(Played(WORLD, POLICY).side(BEFORE), Played(after, policy).side(AFTER))
    assert found is not None
    return found


@cache
def _slower() -> Explained[float]:
    return _explained(replace(WORLD, length_median=WORLD.length_median * 1.4))


def _figure(found: Explained[float], name: str = "time_to_merge_p50") -> FigureExplained[float]:
    return next(one for one in found.figures if one.figure == name)


def _share(figure: FigureExplained[float], name: str) -> float:
    return next(part.share for part in figure.parts if part.part == name)


def test_slower_ci_is_named_with_its_part() -> None:
    figure = _figure(_slower())
    assert (figure.state, figure.reason) == ("divided", None)
    assert 0.8 <= _share(figure, "run_length") <= 1.2
    assert figure.sentence.startswith("p50 of time to merge rose from 18m to 24m (+36%): CI takes longer (")


def test_parts_add_up_to_the_recorded_difference() -> None:
    for figure in _slower().figures:
        if figure.parts:
            assert isclose(sum(part.value for part in figure.parts), figure.difference)
            assert isclose(sum(part.share for part in figure.parts), 1.0)


def test_evidence_shows_what_is_recorded_about_a_cause() -> None:
    cause = next(one for one in _slower().causes if one.cause == "run_length")
    passed = cause.evidence[0]
    assert cause.differs
    assert (cause.words, passed.words, passed.unit) == (
        *("CI takes longer", "length of passed CI runs, p50", "seconds"),
    )
    assert isinstance(passed.before, float)
    assert isinstance(passed.after, float)
    assert 1.3 < passed.after / passed.before < 1.5


def test_the_mean_is_divided_by_definition() -> None:
    mean = _slower().mean
    assert [part.wait for part in mean.parts] == ["ci", "capacity", "schedule", "freeze"]
    assert isclose(sum(part.difference for part in mean.parts), mean.difference)
    ci = mean.parts[0]
    assert ci.difference > 0.5 * mean.difference


def test_a_difference_below_ten_percent_gets_no_shares_and_no_replays() -> None:
    found = _explained()
    figure = _figure(found)
    assert (figure.state, figure.parts, found.replicates) == ("small", (), 0)
    assert figure.reason == "Differences below 10 % are not divided: their shares would mean nothing."


def test_other_settings_are_named() -> None:
    busy, alone = replace(WORLD, pulls_per_day=40), replace(POLICY, max_parallel_checks=1)
    found = explained(Played(busy, POLICY).side(BEFORE), Played(busy, alone).side(AFTER))
    assert found is not None
    figure = _figure(found)
    assert figure.state == "divided"
    assert 0.8 <= _share(figure, "settings") <= 1.2
    assert "other settings (max_parallel_checks 2 → 1)" in figure.sentence


def test_more_pull_requests_do_not_look_like_other_settings() -> None:
    found = _explained(replace(WORLD, load_change=1.6, load_changes_on=28))
    assert [one.cause for one in found.causes if one.differs] == ["arrivals"]


def test_a_change_of_settings_within_a_period_is_said() -> None:
    before = Played(WORLD, POLICY)
    later = Played(replace(WORLD, length_median=18), replace(POLICY, max_parallel_checks=1))
    change = AFTER.start + 6 * DAY
    events = [
        *(one for one in history_of(*_record(before)) if one.happened_at < change),
        *(one for one in history_of(*_record(later)) if one.happened_at >= change),
    ]
    found = explained(before.side(BEFORE), side_of(events, AFTER, BEFORE))
    assert found is not None
    figure = _figure(found)
    assert (figure.state, figure.parts) == ("not_replayed", ())
    assert figure.reason == (
        "It is not divided by replay: settings changed within the period after (parallel runs 2 → 1, between "
        "2026-09-28 and 2026-10-05); choose periods that do not contain that."
    )


def _record(played: Played) -> tuple[World, Record]:
    return played.world, played.world.play(played.policy)


def test_a_limit_that_was_raised_within_a_period_is_found_in_the_week_of_the_change() -> None:
    low, high = Played(WORLD, replace(POLICY, max_parallel_checks=1)), Played(WORLD, POLICY)
    change = AFTER.start + 17 * DAY
    events = [
        *(one for one in history_of(*_record(low)) if one.happened_at < change),
        *(one for one in history_of(*_record(high)) if one.happened_at >= change),
    ]
    side = side_of(events, AFTER, BEFORE)
    found = changed_within(with_rules(side, side.recorded.queue_names))
    assert found == SettingsChange("parallel runs", 1, 2, week=2)


def test_queues_that_are_not_the_same_are_not_replayed() -> None:
    played = Played(replace(WORLD, length_median=20), POLICY)
    events = [one._replace(queue_name="other") for one in history_of(*_record(played))]
    found = explained(Played(WORLD, POLICY).side(BEFORE), side_of(events, AFTER, BEFORE))
    assert found is not None
    assert _figure(found).reason == (
        "It is not divided by replay: the queues of the two periods are not the same."
    )
    assert found.causes == ()
    assert isclose(found.mean.difference, found.mean.after - found.mean.before)


def test_too_little_history_says_what_is_missing() -> None:
    played = Played(replace(WORLD, pulls_per_day=5), POLICY)
    missing = too_little(played.side(BEFORE), played.side(AFTER))
    assert missing is not None
    merged = len(played.side(BEFORE).merged)
    assert missing.detail == (
        f"An explanation needs at least {LEAST_MERGED} merged pull requests and {LEAST_DAYS} days in each "
        f"period; there are {merged} in 28.0 days in the period before."
    )


def test_a_period_without_merges_is_too_little() -> None:
    missing = too_little(Played(WORLD, POLICY).side(BEFORE), side_of([], AFTER, BEFORE))
    assert missing is not None
    assert missing.detail == (
        f"An explanation needs at least {LEAST_MERGED} merged pull requests and {LEAST_DAYS} days in each "
        "period; nothing of this branch is recorded in the period after."
    )


def test_a_period_that_is_recorded_in_part_is_not_compared() -> None:
    long = Window(START - 28 * DAY, BEFORE.end), Window(AFTER.start, AFTER.start + 56 * DAY)
    played = Played(replace(WORLD, days=84), POLICY)
    events = history_of(*_record(played))
    missing = too_little(side_of(events, long[0], long[0]), side_of(events, long[1], long[0]))
    assert missing is not None
    assert missing.detail == (
        "The history covers only 27.8 of the 56.0 days of the period before: nothing was recorded in its "
        "first 28.2 days. The longest window that can be explained is 2026-10-13 to 2026-11-23, with the 41 "
        "days before it."
    )


def test_a_silence_of_six_days_is_said_with_the_longest_window_that_can_be_explained() -> None:
    """What is offered is not refused."""
    end = AFTER.end - 6 * DAY
    events = [one for one in history_of(*_record(Played(WORLD, POLICY))) if one.happened_at < end]

    missing = too_little(side_of(events, BEFORE, BEFORE), side_of(events, AFTER, BEFORE))

    assert isinstance(missing, NotCovered)
    assert missing.detail == (
        "The history covers only 21.8 of the 28.0 days of the period after: nothing was recorded in its last "
        "6.2 days. The longest window that can be explained is 2026-09-25 to 2026-10-19, with the 24 days "
        "before it."
    )
    assert missing.longest is not None
    start, end = missing.longest
    earlier = Window(2 * start - end, start)
    assert None is too_little(side_of(events, earlier, earlier), side_of(events, missing.longest, earlier))


def test_periods_that_begin_on_other_days_of_the_week_are_compared_by_the_day_of_the_week() -> None:
    played, slower = Played(WORLD, POLICY), Played(replace(WORLD, length_median=20), POLICY)
    before = Window(START, START + 24 * DAY)
    after = Window(START + 31 * DAY, START + 55 * DAY)
    found = explained(
        side_of(history_of(*_record(played)), before, before),
        side_of(history_of(*_record(slower)), after, before),
    )
    assert found is not None
    assert 0.8 <= _share(_figure(found), "run_length") <= 1.2
