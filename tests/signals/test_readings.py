"""Every problem of a queue is found, described and not imagined."""

from dataclasses import replace
from statistics import median

import pytest

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, WEEK, parse_instant
from mergecast.signals.thresholds.course import Course, Span
from mergecast.signals.thresholds.judged import OF_NOW
from mergecast.signals.thresholds.levels import learn
from mergecast.signals.thresholds.looking_back import past_alerts
from mergecast.signals.thresholds.queue_history import (
    QueueHistory,
    QueueName,
    SeenRun,
    SeenSplit,
    SeenStay,
    happenings,
)
from mergecast.signals.thresholds.readings import Gauge, Reading
from mergecast.signals.thresholds.sentences import alert_of, too_little
from signals.steady import PERIOD, steady_history

NOW = parse_instant("2026-11-02T12:00:00Z")
QUEUE = QueueName("main", "default")
HISTORY = steady_history(NOW)
LEVELS = learn(HISTORY, NOW)
FAILED = "CHECKS_FAILED"
# Alerts because of splits are of going_round; those of a branch are judged apart, and a fixed rule
# judges what merges.
ALERTED = tuple(figure for figure in OF_NOW if figure not in ("splits", "no_run_started", "nothing_merges"))


def _reading(problem: str, history: QueueHistory, at: int, **more: object) -> Reading:
    course = Course(LEVELS.pause)
    for happening in happenings(history):
        if happening.at <= at:
            course.tell(happening)
    gauge = Gauge(course, LEVELS, {"github": max(HISTORY.sources["github"])}, **more)  # type: ignore[arg-type]
    (found,) = [reading for reading in gauge.read(at) if reading.name == problem]
    return found


def _more(
    *stays: SeenStay, runs: tuple[SeenRun, ...] = (), splits: tuple[SeenSplit, ...] = ()
) -> QueueHistory:
    recent = [run for run in HISTORY.runs if run.started_at > NOW - DAY]
    seen = [stay for stay in HISTORY.stays if stay.entered_at > NOW - DAY]
    return QueueHistory([*seen, *stays], [*recent, *runs], splits, HISTORY.sources)


_WAITING = SeenStay(9001, NOW, None, None)
_HANGING = SeenRun(9001, NOW + MINUTE, None, None, (9001,))
_FAILING = tuple(
    SeenRun(9100 + n, NOW + n * MINUTE, NOW + (n + 1) * MINUTE, FAILED, (9100 + n,)) for n in range(4)
)
_SLOW = tuple(
    SeenRun(9200 + n, NOW + n * HOUR // 2, NOW + (n + 1) * HOUR // 2, "SUCCESS", (9200 + n,))
    for n in range(6)
)
_LATER = tuple(
    SeenStay(9300 + n, NOW + n * HOUR // 2 + MINUTE, NOW + n * HOUR // 2 + 12 * MINUTE, "PR_MERGED")
    for n in range(10)
)
_PASSING = tuple(
    SeenRun(stay.pull_request, stay.entered_at, stay.left_at, "SUCCESS", (stay.pull_request,))
    for stay in _LATER
)
_ROUNDS = tuple(SeenStay(9001, NOW + n * HOUR, NOW + n * HOUR + MINUTE, FAILED) for n in range(2))
_CASES = {
    "run_too_long": (
        _more(_WAITING, runs=(_HANGING,)),
        23 * MINUTE,
        ("the CI run for #9001 is still in progress; normally runs of this queue end within 21m"),
    ),
    "everyone_fails": (
        _more(runs=_FAILING[:3]),
        4 * MINUTE,
        (
            "checks failed in the last 3 CI runs that have no pull request in common; "
            "normal is fewer than 3 in a row"
        ),
    ),
    "going_round": (
        _more(*_ROUNDS, SeenStay(9001, NOW + 2 * HOUR, None, None)),
        2 * HOUR,
        (
            "#9001 entered the queue 3 times within 24 hours, because its checks failed each time; "
            "normal is fewer than 3 times"
        ),
    ),
    "source_silent": (
        _more(),
        13 * HOUR,
        "the source github has sent nothing in 12 hours of the week in which it usually does",
    ),
    "runs_slow": (
        _more(runs=_SLOW),
        3 * HOUR,
        "CI runs of the last hours took 2.3 times as long as usual; normal is less than 1.5 times",
    ),
    "forgotten": (
        _more(_WAITING, *_LATER, runs=_PASSING),
        6 * HOUR,
        (
            "#9001 seems to be forgotten: 10 CI runs of pull requests that entered later have "
            "passed it over; normal is fewer than 10"
        ),
    ),
}


@pytest.mark.parametrize("problem", _CASES)
def test_a_problem_is_found_and_described(problem: str) -> None:
    history, after, sentence = _CASES[problem]

    reading = _reading(problem, history, NOW + after)

    assert reading.holds
    assert sentence == alert_of(QUEUE, reading, NOW + after).sentence


@pytest.mark.parametrize(
    ("value", "limit", "words"),
    [
        (1.83, 1.79, "took 1.83 times as long as usual; normal is less than 1.79 times"),
        (1.8, 1.8, "took 1.8 times as long as usual; normal is less than 1.8 times"),
        (2.0, 1.5, "took 2.0 times as long as usual; normal is less than 1.5 times"),
    ],
)
def test_a_figure_has_two_decimals_if_one_does_not_tell_it_from_its_limit(
    value: float, limit: float, words: str
) -> None:
    history, after, _ = _CASES["runs_slow"]
    found = _reading("runs_slow", history, NOW + after)

    reading = replace(found, value=value, level=replace(found.level, value=limit))

    assert f"CI runs of the last hours {words}" == alert_of(QUEUE, reading, NOW + after).sentence


@pytest.mark.parametrize("problem", _CASES)
def test_a_quiet_queue_has_no_problem(problem: str) -> None:
    assert not _reading(problem, _more(), NOW).holds


def test_a_long_run_is_compared_with_the_usual_length() -> None:
    """Half of the runs that passed took no longer; what it tests does not wait."""
    waiting = [SeenStay(9001 + n, NOW, None, None) for n in range(197)]

    reading = _reading("run_too_long", _more(*waiting, runs=(_HANGING,)), NOW + 3 * HOUR)

    alert = alert_of(QUEUE, reading, NOW + 3 * HOUR)
    lengths = [(run.ended_at or 0) - run.started_at for run in HISTORY.runs if run.outcome == "SUCCESS"]
    assert (196, median(lengths) / SECOND) == (alert.waiting, alert.median)


def test_a_level_that_was_set_takes_precedence() -> None:
    """The sentence says so."""
    reading = _reading(
        "run_too_long",
        _more(_WAITING, runs=(_HANGING,)),
        NOW + 8 * MINUTE,
        chosen={"run_too_long": 300.0},
    )

    assert reading.holds
    assert (
        "the CI run for #9001 is still in progress; the limit set for this queue is "
        "that runs of this queue end within 5m"
    ) == alert_of(QUEUE, reading, NOW).sentence


@pytest.mark.parametrize("figure", ALERTED)
def test_a_figure_that_is_switched_off_is_not_read(figure: str) -> None:
    course = Course(LEVELS.pause)
    for happening in happenings(_more(_WAITING, runs=(_HANGING, *_SLOW))):
        course.tell(happening)
    off: dict[str, float | None] = {figure: None}
    if figure == "going_round":
        off["splits"] = None

    def names(chosen: dict[str, float | None]) -> set[str]:
        gauge = Gauge(course, LEVELS, {"github": NOW - WEEK}, chosen)
        return {reading.name for reading in gauge.read(NOW + 4 * HOUR)}

    assert {*ALERTED} == names({})
    assert {*ALERTED} - {figure} == names(off)


def test_splits_have_a_threshold_of_their_own() -> None:
    splits = tuple(SeenSplit(1, depth, NOW + depth * MINUTE, None) for depth in (1, 2, 3))
    history, at = _more(_WAITING, splits=splits), NOW + 4 * MINUTE

    reading = _reading("going_round", history, at, chosen={"splits": 2.0, "going_round": 9.0})

    assert reading.holds
    assert alert_of(QUEUE, reading, at).sentence == (
        "a batch has been split 3 times; the limit set for this queue is fewer than 2 times"
    )
    assert not _reading("going_round", history, at, chosen={"splits": None}).holds
    assert not _reading("going_round", history, at, chosen={"splits": 4.0}).holds
    assert _reading("going_round", history, at, chosen={"going_round": None}).holds


def test_runs_that_share_a_pull_request_fail_together() -> None:
    """A broken pull request ahead fails everything behind it: that counts once."""
    behind = tuple(run._replace(pull_requests=(9100, 9100 + n)) for n, run in enumerate(_FAILING))

    assert 1 == _reading("everyone_fails", _more(runs=behind), NOW + HOUR).value


def test_a_bisection_without_an_end_is_over_when_its_batch_has_left() -> None:
    """Some sources never report that a bisection ended; what entered later has nothing to do with it."""
    splits = tuple(SeenSplit(1, depth, NOW + depth * MINUTE, None) for depth in (1, 2, 3))
    stays = (SeenStay(9001, NOW, NOW + 5 * MINUTE, FAILED), SeenStay(9002, NOW + 4 * MINUTE, None, None))
    history = _more(*stays, splits=splits)

    before, after = (_reading("going_round", history, NOW + minutes * MINUTE) for minutes in (4, 6))

    assert (True, 3.0) == (before.holds, before.value)
    assert (False, True) == (after.holds, after.is_calm)


def test_a_batch_that_is_split_more_often_than_any_before() -> None:
    splits = tuple(SeenSplit(1, depth, NOW + depth * MINUTE, None) for depth in (1, 2, 3))

    reading = _reading("going_round", _more(_WAITING, splits=splits), NOW + 4 * MINUTE)

    assert (
        "a batch has been split 3 times; normal is fewer than 3 times"
        == alert_of(QUEUE, reading, NOW).sentence
    )


def test_too_little_history_is_said_in_a_sentence() -> None:
    few = replace(HISTORY, runs=HISTORY.runs[-150:])

    levels = learn(few, NOW)

    assert {} == levels.values
    assert "too little history to learn from: 150 CI runs in the last 8 weeks, 200 are needed" == too_little(
        levels
    )


def test_a_run_is_too_long_at_one_and_a_half_times_the_third_longest_of_eight_weeks() -> None:
    """Two that hung change nothing, and what was before does not count."""
    lengths = {100: 50, 300: 40, 900: 30, 1300: 20}
    runs = [
        run._replace(ended_at=run.started_at + lengths.get(n, 12) * MINUTE)
        for n, run in enumerate(HISTORY.runs)
    ]
    stays = [stay._replace(left_at=run.ended_at) for stay, run in zip(HISTORY.stays, runs, strict=True)]
    history = replace(HISTORY, runs=runs, stays=stays)

    assert 45 * 60 == learn(history, NOW).values["run_too_long"]
    assert 30 * 60 == learn(history, NOW + 5 * DAY).values["run_too_long"]


def test_a_problem_ends_only_after_it_was_calm_for_a_while() -> None:
    """Two runs that hang with five minutes between them are one problem."""
    entries = [SeenStay(9001 + n, NOW, NOW + 3 * HOUR, "PR_MERGED") for n in range(2)]
    first = SeenRun(9001, NOW + MINUTE, NOW + HOUR, "SUCCESS", (9001,))
    second = SeenRun(9002, NOW + HOUR - 30 * MINUTE, NOW + 3 * HOUR, "SUCCESS", (9002,))
    history = replace(HISTORY, stays=[*HISTORY.stays, *entries], runs=[*HISTORY.runs, first, second])

    found = past_alerts(QUEUE, history, Span(NOW - DAY, NOW + 4 * HOUR))

    spans = [(p.since, p.ended_at) for p in found if p.figure == "run_too_long"]
    assert [(NOW + MINUTE, NOW + 3 * HOUR)] == spans


def _with_streak(count: int, end: int, history: QueueHistory = HISTORY) -> QueueHistory:
    """The last runs before an instant fail, one after the other."""
    pulls = range(20_000, 20_000 + count)
    at = [end - (count - place) * PERIOD // 2 for place in range(count)]
    runs = [
        SeenRun(pull, began, began + 5 * MINUTE, FAILED, (pull,))
        for pull, began in zip(pulls, at, strict=True)
    ]
    before = [run for run in history.runs if run.started_at < at[0]]
    return replace(history, runs=[*before, *runs])


@pytest.mark.parametrize("weeks", [8, 3, 1], ids="{} weeks".format)
@pytest.mark.parametrize("ago", [0, 3 * HOUR, 2 * DAY], ids=["now", "today", "before"])
def test_a_level_is_not_learned_from_the_problem_itself(weeks: int, ago: int) -> None:
    """A server that first sees a queue while, or after, everything fails knows what is normal for it."""
    history = steady_history(NOW, weeks)
    failing = _with_streak(17, NOW - ago, history)
    later = [run for run in history.runs if run.started_at > NOW - ago]
    history = replace(failing, runs=[*failing.runs, *later])

    assert learn(history, NOW).values["everyone_fails"] <= 5


def test_a_pull_request_with_another_priority_is_passed_over_more_often() -> None:
    """Which priority is higher is not known, so runs of the same one count five times as much."""
    urgent = tuple(stay._replace(priority="urgent") for stay in _LATER)

    reading = _reading("forgotten", _more(_WAITING, *urgent, runs=_PASSING), NOW + 6 * HOUR)

    assert not reading.holds
    assert pytest.approx(2.0) == reading.value


def test_a_forgotten_pull_request_that_is_tested_waits_again() -> None:
    tested = SeenRun(9001, NOW + 5 * HOUR, NOW + 6 * HOUR, FAILED, (9001,))
    history = _more(_WAITING, *_LATER, runs=(*_PASSING, tested))

    assert not _reading("forgotten", history, NOW + 7 * HOUR).holds


def test_failures_that_are_hours_apart_are_chance() -> None:
    """The queue usually ends a run every half hour."""
    spread = tuple(
        run._replace(started_at=run.started_at + n * 7 * HOUR, ended_at=(run.ended_at or 0) + n * 7 * HOUR)
        for n, run in enumerate(_FAILING)
    )

    assert 1 == _reading("everyone_fails", _more(runs=spread), NOW + 30 * HOUR).value


def test_what_failed_shortly_before_fails_for_its_own_reasons() -> None:
    """It came back an hour after it had failed; in between, another run passed."""
    before = SeenRun(9000, NOW - HOUR, NOW - 50 * MINUTE, FAILED, (9100,))

    reading = _reading("everyone_fails", _more(runs=(before, *_FAILING[:3])), NOW + HOUR)

    assert 2 == reading.value


def test_a_batch_whose_members_have_passed_is_no_longer_split() -> None:
    """Although the source does not say that the bisection ended, and others that came before still wait."""
    splits = tuple(SeenSplit(1, depth, NOW + depth * MINUTE, None, (9002, 9003)) for depth in (1, 2, 3))
    stays = [SeenStay(pull, NOW, None, None) for pull in (9001, 9002)]
    stays.append(SeenStay(9003, NOW, NOW + 5 * MINUTE, FAILED))
    passes = SeenRun(9002, NOW + 6 * MINUTE, NOW + 9 * MINUTE, "SUCCESS", (9002,))
    history = _more(*stays, runs=(passes,), splits=splits)

    during, after = (_reading("going_round", history, NOW + minutes * MINUTE) for minutes in (7, 10))

    assert (True, False) == (during.holds, after.holds)
