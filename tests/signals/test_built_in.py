"""Rules that hold for any queue."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.alert import CHANGED, NO_DATA, RECOVERED, Alert, Evidence
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.threshold import BUILT_IN, LEARNED
from mergecast.signals.thresholds.built_in import RULES, QueueState, broken_rules, judge_built_in
from mergecast.signals.thresholds.queue_history import QueueName
from mergecast.signals.thresholds.set_course import Judgement

NOW = 1_788_134_400_000_000
QUEUE = QueueName("main", "default")
FINE = QueueState(
    waiting=Evidence((7, 9)),
    oldest_at=NOW - HOUR,
    merged_at=NOW - HOUR,
    first_at=NOW - 90 * DAY,
    last_at=NOW - HOUR,
    exits=40,
    failures=2,
    merges=38,
)
STUCK = FINE._replace(oldest_at=NOW - 13 * HOUR, merged_at=NOW - 3 * DAY)
SILENT = FINE._replace(last_at=NOW - 9 * DAY)
FAILING = FINE._replace(exits=10, failures=5, merges=5)


def _judge(state: QueueState, *open_alerts: Alert, off: tuple[str, ...] = (), at: int = NOW) -> Judgement:
    return judge_built_in(QUEUE, state, open_alerts, off, at)


def test_nothing_merges_for_three_days_while_a_pull_request_waits_for_long() -> None:
    (alert,) = _judge(STUCK).begun

    assert ("nothing_merges", BUILT_IN, NOW - 3 * DAY, NOW, 3.0, 3.0, "days", Evidence((7, 9))) == (
        *(alert.figure, alert.origin, alert.since, alert.found_at),
        *(alert.value, alert.threshold, alert.unit, alert.evidence),
    )
    assert alert.sentence == "nothing has merged for 3 days, although #7 and #9 wait"
    assert alert.advice == (
        "Look at the first pull request in the queue: its checks, conflicts, branch protection."
    )
    assert not broken_rules(STUCK._replace(oldest_at=None, waiting=Evidence()), NOW)
    assert not broken_rules(STUCK._replace(merged_at=NOW - 3 * DAY + 1), NOW)


def test_what_has_just_entered_waits_long_only_if_others_left_without_a_merge() -> None:
    fresh = STUCK._replace(oldest_at=NOW - HOUR, exits=5, failures=1, merges=0)

    assert ["nothing_merges"] == [*broken_rules(fresh, NOW)]
    assert not broken_rules(fresh._replace(exits=4, failures=1), NOW)


def test_a_queue_that_never_merged_is_stuck_since_its_repository_began() -> None:
    young = STUCK._replace(merged_at=None, first_at=NOW - 5 * DAY)
    old = young._replace(first_at=NOW - 90 * DAY)

    assert NOW - 5 * DAY == broken_rules(young, NOW)["nothing_merges"].since
    assert NOW - 28 * DAY == broken_rules(old, NOW)["nothing_merges"].since


def test_no_event_arrives_for_seven_days() -> None:
    (alert,) = _judge(SILENT).begun

    assert ("source_silent", NOW - 9 * DAY, 9.0, 7.0, "days") == (
        *(alert.figure, alert.since, alert.value, alert.threshold),
        alert.unit,
    )
    assert alert.sentence == "no event has arrived for 9 days: the figures may be out of date"
    assert not broken_rules(FINE._replace(last_at=None), NOW)


def test_silence_concerns_the_queues_that_were_used_and_lasts_for_as_long_as_it_does() -> None:
    unused = SILENT._replace(
        oldest_at=None, waiting=Evidence(), merged_at=None, exits=0, failures=0, merges=0
    )
    (alert,) = _judge(SILENT).begun

    assert Judgement() == _judge(unused)
    assert Judgement() == _judge(unused, alert)


def test_most_fail() -> None:
    (alert,) = _judge(FAILING).begun

    assert ("failure_rate", NOW, 0.5, 0.5, "") == (
        *(alert.figure, alert.since, alert.value, alert.threshold),
        alert.unit,
    )
    assert [
        "50.0% of the 10 pull requests that left in the last 7 days failed checks",
        "all 5 pull requests that left in the last 7 days failed checks, and none merged",
    ] == [
        broken_rules(state, NOW)["failure_rate"].sentence
        for state in (FAILING, FAILING._replace(exits=5, failures=5, merges=0))
    ]
    assert not broken_rules(FAILING._replace(exits=4, failures=4), NOW)


def test_a_rule_begins_nothing_while_another_alert_says_the_same_or_its_figure_is_switched_off() -> None:
    (alert,) = _judge(STUCK).begun

    assert Judgement() == _judge(STUCK, replace(alert, origin=LEARNED))
    assert Judgement() == _judge(STUCK, off=("nothing_merges",))
    assert (replace(alert, ended_at=NOW, end_reason=CHANGED),) == (
        _judge(STUCK, alert, off=("nothing_merges",)).ended
    )


def test_an_alert_ends_when_its_rule_holds_again() -> None:
    stuck, silent, failing = (_judge(state).begun[0] for state in (STUCK, SILENT, FAILING))
    later = NOW + DAY
    merged = FINE._replace(merged_at=NOW + HOUR, last_at=later)

    assert (replace(stuck, ended_at=NOW + HOUR, end_reason=RECOVERED),) == _judge(
        merged, stuck, at=later
    ).ended
    assert (replace(silent, ended_at=later, end_reason=RECOVERED),) == _judge(merged, silent, at=later).ended
    assert (replace(failing, ended_at=later, end_reason=RECOVERED),) == _judge(
        merged, failing, at=later
    ).ended


def test_the_failure_rate_must_be_well_below_and_without_exits_the_alert_ends_for_want_of_data() -> None:
    (alert,) = _judge(FAILING).begun

    assert Judgement() == _judge(FINE._replace(exits=100, failures=46), alert)
    (ended,) = _judge(FINE._replace(exits=4, failures=2), alert).ended
    assert NO_DATA == ended.end_reason


_STATES = st.builds(
    QueueState,
    waiting=st.just(Evidence((7,))),
    oldest_at=st.one_of(st.none(), st.integers(0, 20).map(lambda days: NOW - days * DAY)),
    merged_at=st.one_of(st.none(), st.integers(0, 20).map(lambda days: NOW - days * DAY)),
    first_at=st.just(NOW - 90 * DAY),
    last_at=st.integers(0, 20).map(lambda days: NOW - days * DAY),
    exits=st.integers(0, 12),
    failures=st.just(0),
    merges=st.integers(0, 3),
).flatmap(lambda state: st.integers(0, state.exits).map(lambda failed: state._replace(failures=failed)))


@given(_STATES, st.sets(st.sampled_from(RULES)))
def test_judging_again_changes_nothing(state: QueueState, off: set[str]) -> None:
    first = _judge(state, off=tuple(off))

    assert Judgement() == _judge(state, *first.begun, off=tuple(off))
