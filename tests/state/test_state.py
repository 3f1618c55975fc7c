"""The state in a period: the most important thing first, then how it compares with before."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as replace_struct

from mergecast.queues.answers.summary import Figure
from mergecast.queues.model.figures import SUMMARY_FIGURES
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, Window, parse_instant
from mergecast.signals.state.comparison import Compared, judged_by
from mergecast.signals.state.judgement import Period, State, state_of
from mergecast.signals.state.standing import QueueStanding, Standing

NOW = parse_instant("2026-11-02T12:00:00Z")
MAIN = ("main", "default")
LAST_WEEK, WEEK_BEFORE = Window(NOW - WEEK, NOW), Window(NOW - 2 * WEEK, NOW - WEEK)
Given = dict[str, tuple[float | None, float | None]]


def _figures(given: Given, count: int = 100) -> dict[str, Figure]:
    """100 stays: p50 30 minutes, p95 2 hours, 5 % failed, as before; other values as given."""
    usual: Given = {
        "time_in_queue_p50": (1800, 1800),
        "time_in_queue_p95": (7200, 7200),
        "failure_rate": (0.05, 0.05),
        "merged": (95, 95),
        **given,
    }
    return {name: _figure(name, *usual.get(name, (0, 0)), count) for name in SUMMARY_FIGURES}


def _figure(name: str, value: float | None, before: float | None, count: int) -> Figure:
    if value is None or not before:
        return Figure(value, before, None, count, 0 if before is None else count)
    change = value - before if name == "failure_rate" else value / before - 1
    return Figure(value, before, change, count, count)


def _period(figures: dict[str, Figure]) -> Period:
    own = Compared(LAST_WEEK, WEEK_BEFORE, figures)
    return Period(own, own, {MAIN: figures})


def _standing(first_at: int = NOW - 90 * DAY, last_at: int | None = NOW, **queue: Any) -> Standing:
    given = {"waiting": 7, "oldest_at": NOW - HOUR, "merged_at": NOW - HOUR, **queue}
    return Standing(NOW, {MAIN: QueueStanding(**given)}, first_at, last_at)


def _say(given: Given, count: int = 100, standing: Standing | None = None) -> tuple[str, str]:
    figures = _figures(given, count)
    found = state_of(_period(figures), standing or _standing())
    return found.name, found.sentence


@pytest.mark.parametrize(
    ("given", "state", "sentence"),
    [
        (
            {"time_in_queue_p95": (9936, 7200), "waiting_ci": (1300, 1200), "waiting_capacity": (1500, 300)},
            "slow",
            "Slower than the week before: p95 2h46m (up 38%). 7 in queue.",
        ),
        (
            {"time_in_queue_p50": (900, 1800), "waiting_ci": (500, 1500), "waiting_freeze": (200, 100)},
            "fine",
            "Faster than the week before: p50 15m (down 50%). 7 in queue.",
        ),
        (
            {"time_in_queue_p95": (8280, 7200)},
            "fine",
            "A little slower than the week before: p95 2h18m (up 15%). 7 in queue.",
        ),
        (
            {"time_in_queue_p50": (1500, 1800), "time_in_queue_p95": (9360, 7200)},
            "slow",
            "Mixed compared with the week before: p50 25m (down 17%), p95 2h36m (up 30%). 7 in queue.",
        ),
        (
            {"time_in_queue_p95": (7500, 7200)},
            "fine",
            "Much like the week before: p50 30m, p95 2h05m. 7 in queue.",
        ),
        (
            {"failure_rate": (0.11, 0.05)},
            "failing",
            "More failures than the week before: 11.0% (+6 points); p50 30m, p95 2h00m. 7 in queue.",
        ),
        (
            {"failure_rate": (0.062, 0.013), "time_in_queue_p95": (5040, 7200)},
            "failing",
            (
                "More failures than the week before: 6.2% (+4.9 points); faster: p95 1h24m (down 30%). "
                "7 in queue."
            ),
        ),
        (
            {"failure_rate": (0.01, 0.05), "time_in_queue_p95": (9000, 7200)},
            "slow",
            (
                "Slower than the week before: p95 2h30m (up 25%); fewer failures: 1.0% "
                "(\N{MINUS SIGN}4 points). 7 in queue."
            ),
        ),
        (
            {"time_in_queue_p50": (1800, None)},
            "fine",
            "So far p50 30m, p95 2h00m; there is nothing to compare with yet. 7 in queue.",
        ),
    ],
    ids=[
        *("slower", "faster", "a little", "mixed", "the same", "failures"),
        *("faster, but more fail", "slower, but fewer fail", "first period"),
    ],
)
def test_a_queue_that_works_is_compared(given: Given, state: str, sentence: str) -> None:
    assert (state, sentence) == _say(given)


def test_few_stays_are_called_few() -> None:
    empty = _standing(waiting=0, oldest_at=None)

    assert (
        "unjudged",
        (
            "Too few to compare: 9 stays, 9 in the week before; p50 51m (up 70%), p95 2h00m (unchanged), "
            "10.0% failed (+5 points). The queue is empty."
        ),
    ) == _say({"time_in_queue_p50": (3060, 1800), "failure_rate": (0.1, 0.05)}, 9, empty)
    nothing_before: Given = dict.fromkeys(("time_in_queue_p50", "time_in_queue_p95"), (60, None))
    assert (
        "unjudged",
        "Too few to compare: 1 stay; p50 1m, p95 1m, 0.0% failed. 7 in queue.",
    ) == _say({**nothing_before, "failure_rate": (0.0, None)}, 1)
    assert ("unjudged", "No pull request left the queue in this period. 7 in queue.") == _say(
        {"failure_rate": (None, 0.05)}, 0
    )


def _over_28_days(count: int) -> Period:
    """A week with 9 stays, p50 up 70 %, twice as many failures; 28 days with this number tell the same."""
    given: Given = {"time_in_queue_p50": (3060, 1800), "failure_rate": (0.2, 0.1)}
    own = Compared(LAST_WEEK, WEEK_BEFORE, _figures(given, 9))
    asked = list[Window]()

    def read(window: Window) -> Compared:
        asked.append(window)
        return Compared(window, Window(NOW - 56 * DAY, NOW - 28 * DAY), _figures(given, count))

    judged = judged_by(own, read)
    assert [Window(NOW - 28 * DAY, NOW)] == asked
    return Period(own, judged, {MAIN: own.figures})


def test_a_small_team_compares_28_days() -> None:
    period = _over_28_days(36)

    assert State(
        "failing",
        "More failures than the 28 days before: 20.0% (+10 points); slower: p50 51m (up 70%). Over 28 days, "
        "because the period alone has 9 stays. 7 in queue.",
    ) == state_of(period, _standing())
    found = period.judged.shown()
    judged = (found.time_in_queue_p50, found.time_in_queue_p95, found.failure_rate)
    assert (36, 36) == (found.stays, found.stays_before)
    assert ["worse", "neither", "worse"] == [one.verdict for one in judged]


def test_a_very_small_team_is_not_judged() -> None:
    found = _over_28_days(19)

    assert State(
        "unjudged",
        "Too few to compare: 9 stays, 9 in the week before; p50 51m (up 70%), p95 2h00m (unchanged), 20.0% "
        "failed (+10 points). 7 in queue.",
    ) == state_of(found, _standing())
    assert found.judged.shown().time_in_queue_p50.verdict is None


def test_many_stays_after_few_are_not_compared() -> None:
    given = _figures({"time_in_queue_p50": (3060, 1800)})
    figures = {name: replace_struct(figure, count_before=3) for name, figure in given.items()}

    assert State(
        "unjudged",
        "Too few to compare: 100 stays, 3 in the week before; p50 51m (up 70%), p95 2h00m (unchanged), 5.0% "
        "failed (±0 points). 7 in queue.",
    ) == state_of(_period(figures), _standing())


def test_a_figure_above_its_threshold_is_never_fine() -> None:
    figures = _figures({})
    names = ("failure_rate", "time_to_merge_p95", "ci_runs_per_merge")
    found = [state_of(replace(_period(figures), exceeded={name: 0.01}), _standing()) for name in names]

    assert ["failing", "slow", "slow"] == [state.name for state in found]


def test_nothing_merges_comes_before_any_comparison() -> None:
    """68 % fail and 15 wait for up to a day: that is no "p50 45m"."""
    given: Given = {"merged": (0, 90), "failure_rate": (0.68, 0.05), "time_in_queue_p50": (2700, 1800)}
    standing = _standing(waiting=15, oldest_at=NOW - 24 * HOUR, merged_at=NOW - 7 * DAY)

    assert (
        "stuck",
        "Nothing has merged for 7d; 15 pull requests wait, the oldest for 1d.",
    ) == _say(given, standing=standing)


def test_nothing_merges_although_all_that_waits_is_new() -> None:
    """What entered earlier has left without a merge."""
    given: Given = {"merged": (0, 90), "failure_rate": (0.4, 0.05)}
    standing = _standing(waiting=1, oldest_at=NOW - 10 * MINUTE, merged_at=NOW - 3 * DAY)

    assert ("stuck", "Nothing has merged for 3d; 1 pull request waits, for 10m.") == _say(
        given, standing=standing
    )


def test_a_quiet_weekend_is_fine() -> None:
    """The first pull request of Monday does not mean that nothing merges."""
    standing = _standing(waiting=1, oldest_at=NOW - MINUTE, merged_at=NOW - 3 * DAY)

    assert "fine" == _say({}, standing=standing)[0]
    assert "unjudged" == _say({"merged": (0, 0)}, 3, standing)[0]


def test_a_queue_that_never_merged() -> None:
    old = _standing(oldest_at=NOW - DAY, merged_at=None)
    new = _standing(first_at=NOW - 5 * DAY, oldest_at=NOW - DAY, merged_at=None)

    told = "; 7 pull requests wait, the oldest for 1d."
    assert ("stuck", f"Nothing has merged for more than 28d{told}") == _say({}, standing=old)
    assert ("stuck", f"Nothing has merged for 5d{told}") == _say({}, standing=new)


@pytest.mark.parametrize(
    ("problem", "state", "sentence"),
    [
        ("nothing_merges", "stuck", "Nothing has merged for 1h00m"),
        ("everyone_fails", "failing", "Every CI run has failed for 2h00m"),
        ("no_run_started", "stuck", "No CI run has started for 2h00m"),
        ("run_too_long", "stuck", "A CI run has lasted 2h00m, unusually long"),
        ("runs_slow", "slow", "CI runs have been unusually slow for 2h00m"),
    ],
)
def test_problems_come_first(problem: str, state: str, sentence: str) -> None:
    """A queue that has enough history is judged by what is usual for it."""
    standing = _standing(alerts={problem: NOW - 2 * HOUR})

    assert (state, f"{sentence}; 7 pull requests wait, the oldest for 1h00m.") == _say({}, standing=standing)


def test_the_order_of_problems() -> None:
    """Nothing merges; everything fails; stuck; no data."""
    names = ["nothing_merges", "everyone_fails", "no_run_started", "run_too_long", "source_silent"]
    found = []
    for place in range(len(names)):
        held = dict.fromkeys(names[place:], NOW - 5 * HOUR)
        found.append(_say({}, standing=_standing(alerts=held))[1].partition(" for ")[0])

    assert [
        "Nothing has merged",
        "Every CI run has failed",
        "No CI run has started",
        "A CI run has lasted 5h00m, unusually long; 7 pull requests wait, the oldest",
        "No event has arrived",
    ] == found


def test_everything_fails() -> None:
    assert (
        "failing",
        "Everything fails: all 100 pull requests that left the queue failed checks. 7 in queue.",
    ) == _say({"failure_rate": (1.0, 0.05), "merged": (0, 90)})
    assert (
        "failing",
        "Most fail: 60.0% of 100 pull requests that left the queue failed checks, 5.0% before. 7 in queue.",
    ) == _say({"failure_rate": (0.6, 0.05)})
    assert "unjudged" == _say({"failure_rate": (1.0, 0.05)}, 4)[0]


def test_a_few_failures_may_be_chance() -> None:
    """Of 40 pull requests, 3 failed, and none before."""
    assert "fine" == _say({"failure_rate": (0.075, 0.01)}, 40)[0]
    assert "failing" == _say({"failure_rate": (0.075, 0.01)}, 100)[0]


def test_a_rate_that_was_high_already_must_grow_more() -> None:
    assert "fine" == _say({"failure_rate": (0.24, 0.20)})[0]


@pytest.mark.parametrize(
    ("figure", "state", "words"),
    [
        ("failure_rate", "failing", "Failure rate"),
        ("time_to_merge_p95", "slow", "Time to merge, p95"),
        ("time_in_queue_p95", "slow", "Time in queue, p95"),
        ("ci_runs_per_merge", "slow", "CI runs per merge"),
    ],
)
def test_alerts_about_the_last_hours(figure: str, state: str, words: str) -> None:
    """Those of thresholds that were set; a silent queue is silent."""
    standing = _standing(alerts={figure: NOW - 3 * HOUR})
    silent = _standing(last_at=NOW - 8 * DAY, alerts={figure: NOW - 9 * DAY})

    told = f"{words} has been above its threshold for 3h00m; 7 pull requests wait, the oldest for 1h00m."
    assert (state, told) == _say({}, standing=standing)
    assert "silent" == _say({}, standing=silent)[0]


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        ("failure_rate", "Failure rate"),
        ("time_to_merge_p95", "Time to merge, p95"),
        ("ci_runs_per_merge", "CI runs per merge"),
    ],
)
def test_what_is_worse_than_in_a_reference_period_is_slow(figure: str, words: str) -> None:
    """More failures than in a good month do not make a queue a failing one."""
    standing = _standing(reference_alerts={figure: NOW - 3 * HOUR})

    told = f"{words} has been above its threshold for 3h00m; 7 pull requests wait, the oldest for 1h00m."
    assert ("slow", told) == _say({}, standing=standing)
    set_too = _standing(alerts={"failure_rate": NOW - HOUR}, reference_alerts={figure: NOW - 3 * HOUR})
    assert "failing" == _say({}, standing=set_too)[0]


def test_a_rule_that_is_switched_off_says_nothing() -> None:
    off = frozenset({"nothing_merges", "source_silent"})
    stuck = _standing(oldest_at=NOW - DAY, merged_at=NOW - 5 * DAY, off=off)
    silent = _standing(last_at=NOW - 9 * DAY, waiting=0, oldest_at=None, off=off)

    assert ["fine", "fine"] == [_say({}, standing=standing)[0] for standing in (stuck, silent)]


def test_no_data_for_long() -> None:
    silent = "No event has arrived for 9d: the figures may be out of date."
    assert ("silent", silent) == _say(
        {}, standing=_standing(last_at=NOW - 9 * DAY, waiting=0, oldest_at=None)
    )
    assert "fine" == _say({}, standing=_standing(last_at=NOW - 6 * DAY))[0]
    assert ("silent", "No event has arrived yet.") == _say({}, standing=_standing(last_at=None))


def test_what_waits_in_a_silent_queue_may_have_left() -> None:
    standing = _standing(last_at=NOW - 9 * DAY, oldest_at=NOW - 9 * DAY, merged_at=NOW - 9 * DAY)

    told = "7 pull requests wait, the oldest for 9d; no event has arrived for 9d."
    assert ("stuck", f"Nothing has merged for 9d; {told}") == _say({}, standing=standing)


def test_one_of_several_queues() -> None:
    """The sentence says which queue it is about, and counts if there are several."""
    figures = _figures({})
    stuck = QueueStanding(2, NOW - DAY, NOW - 4 * DAY)
    queues = {MAIN: QueueStanding(7, NOW - HOUR, NOW - HOUR), ("main", "hotfix"): stuck}
    period = _period(figures)

    one = state_of(period, Standing(NOW, queues, NOW - WEEK, NOW))
    two = state_of(period, Standing(NOW, {**queues, ("1.x", "default"): stuck}, NOW - WEEK, NOW))

    waiting = "pull requests wait, the oldest for 1d."
    assert State("stuck", f"Nothing has merged in queue hotfix of main for 4d; 2 {waiting}") == one
    assert State("stuck", f"Nothing has merged in 2 of 3 queues for 4d; 4 {waiting}") == two


def test_a_period_that_is_over_is_judged_by_its_figures() -> None:
    """What waits now says nothing about March."""
    usual, failing = _figures({}), _figures({"failure_rate": (0.9, 0.05), "merged": (0, 95)})

    assert State("fine", "Much like the week before: p50 30m, p95 2h00m.") == state_of(_period(usual), None)
    assert State(
        "failing",
        "Most fail: 90.0% of 100 pull requests that left the queue failed checks, 5.0% before and nothing "
        "merged.",
    ) == state_of(_period(failing), None)


@pytest.mark.parametrize(
    ("length", "before", "name"),
    [
        (WEEK, (WEEK, 0), "the week before"),
        (28 * DAY, (28 * DAY, 0), "the 28 days before"),
        (8 * DAY + HOUR, (8 * DAY + HOUR, 0), "the period before"),
        (WEEK, (WEEK - 5 * HOUR, 0), "the week before"),
        (WEEK, (3 * DAY + HOUR, 0), "the 3 days before"),
        (WEEK, (DAY, 0), "the day before"),
        (DAY, (WEEK, 6 * DAY), "the same hours a week earlier"),
        (DAY, (30 * DAY, 20 * DAY), "the period from 2026-10-03 to 2026-10-13"),
    ],
)
def test_what_a_period_is_compared_with(length: int, before: tuple[int, int], name: str) -> None:
    earlier = Window(NOW - before[0], NOW - before[1]) if before[1] else Window(NOW - before[0], NOW)

    assert name == Compared(Window(NOW, NOW + length), earlier, {}).name


def test_a_problem_is_said_while_the_history_is_still_examined() -> None:
    """Only that nothing is wrong cannot be said yet."""
    quiet = replace(_standing(last_at=NOW - 4 * DAY), is_looking=True)
    stuck = replace(_standing(last_at=NOW - 4 * DAY, alerts={"no_run_started": NOW - DAY}), is_looking=True)

    assert (
        "looking",
        "Still looking: the newest event is 4d old, and the history has not been examined yet.",
    ) == _say({}, standing=quiet)
    assert "stuck" == _say({}, standing=stuck)[0]
