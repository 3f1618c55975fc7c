"""Alerts of one queue that belong together, and the sentence about them."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.alert import CHANGED, RECOVERED, Alert, Evidence
from mergecast.queues.model.instant import HOUR, MINUTE
from mergecast.queues.model.threshold import LEARNED, REFERENCE, SET
from mergecast.signals.thresholds.incidents import CAUSES, Incident, incidents_of

START = 1_788_134_400_000_000
FIGURES = (*CAUSES, "runs_slow", "forgotten", "time_to_merge_p95", "failure_rate")


def _alert(figure: str, since: float, end: float | None = None, **fields: object) -> Alert:
    """An alert from one hour to another; it was found half an hour after it began."""
    begun = START + round(since * HOUR)
    alert = Alert(
        id=f"{figure}:{since:g}",
        figure=figure,
        origin=LEARNED,
        base_ref="main",
        queue_name="default",
        since=begun,
        found_at=begun + 30 * MINUTE,
        value=1.0,
        threshold=1.0,
        sentence=f"{figure} was found; normal is less",
        advice="",
        ended_at=None if end is None else START + round(end * HOUR),
        end_reason=None if end is None else RECOVERED,
    )
    return replace(alert, **fields)  # type: ignore[arg-type]


WAITING = Evidence(tuple(range(1, 101)), unlisted=97)
LONG_RUN = _alert("run_too_long", 0, evidence=Evidence((1995,)), threshold=5400.0, median=1260.0)
NO_RUN = _alert("no_run_started", 1, evidence=WAITING)
NO_MERGE = _alert("nothing_merges", 0.5, evidence=Evidence((7, 9)))


def test_a_stuck_queue_is_one_incident_whose_cause_comes_first() -> None:
    (incident,) = incidents_of([NO_MERGE, NO_RUN, LONG_RUN], START + 6 * HOUR + 39 * MINUTE)

    assert (LONG_RUN, NO_RUN, NO_MERGE) == incident.alerts
    assert ("main", "default", START, None) == (
        *(incident.base_ref, incident.queue_name),
        *(incident.since, incident.ended_at),
    )
    assert incident.sentence == (
        "`default` is stuck: the CI run for #1995 has lasted 6h39m, usually 21m; 197 wait"
    )


def test_a_later_alert_that_explains_more_takes_the_first_place_and_the_incident_keeps_its_id() -> None:
    (before,) = incidents_of([NO_MERGE])
    (after,) = incidents_of([NO_MERGE, _alert("source_silent", 1, evidence=Evidence(source="github"))])

    assert before.sentence == "`default` is stuck: nothing has merged for 30m; 2 wait"
    assert after.sentence == "`default` is silent: the source github has sent nothing for 30m; 2 wait"
    assert before.id == after.id == NO_MERGE.id


def test_its_end_says_what_it_was() -> None:
    ended = replace(LONG_RUN, ended_at=START + 6 * HOUR), replace(NO_RUN, ended_at=START + 7 * HOUR)

    (incident,) = incidents_of(ended)

    assert START + 7 * HOUR == incident.ended_at
    assert incident.sentence == (
        "`default` was stuck for 7h00m: the CI run for #1995 lasted 6h00m, usually 21m; 197 waited"
    )


def test_while_a_consequence_lasts_the_incident_is_open_although_its_cause_has_ended() -> None:
    (incident,) = incidents_of([replace(LONG_RUN, ended_at=START + 6 * HOUR), NO_RUN], START + 8 * HOUR)

    assert incident.ended_at is None
    assert incident.sentence == (
        "`default` is stuck: the CI run for #1995 lasted 6h00m, usually 21m; 197 wait"
    )


def test_an_alert_about_a_run_alone_says_how_many_wait() -> None:
    """The first message about it comes before any other alert. Older alerts know less."""
    alone = replace(LONG_RUN, waiting=197)
    older = replace(LONG_RUN, median=None)

    assert [
        "`default` is stuck: the CI run for #1995 has lasted 30m, usually 21m; 197 wait",
        "`default` is stuck: the CI run for #1995 has lasted 30m, normally at most 1h30m",
    ] == [incident.sentence for alert in (alone, older) for incident in incidents_of([alert])]


def test_every_cause_has_its_words() -> None:
    alerts = [
        replace(LONG_RUN, origin=SET, threshold=2700.0),
        _alert("everyone_fails", 0, sentence="the check lint failed in the last 5 CI runs; normal is 4"),
        _alert("no_run_started", 0, evidence=Evidence((7,))),
        _alert("no_run_started", 0, 2, evidence=Evidence((7,))),
        _alert("going_round", 0, sentence="#7 entered the queue 4 times; normal is fewer than 3 times"),
        _alert("nothing_merges", 0, 5, end_reason=CHANGED),
        _alert("source_silent", 0, 9, evidence=Evidence(source="github")),
        _alert("source_silent", 0),
    ]

    assert [incident.sentence for alert in alerts for incident in incidents_of([alert])] == [
        "`default` is stuck: the CI run for #1995 has lasted 30m, and the limit set for this queue is 45m",
        "`default` is failing: the check lint failed in the last 5 CI runs",
        "`default` is stuck: nothing has run on `main` for 30m; 1 waits",
        "`default` was stuck for 2h00m: nothing ran on `main` for 2h00m; 1 waited",
        "`default`: #7 entered the queue 4 times",
        (
            "`default` was stuck for 5h00m: nothing merged for 5h00m; "
            "it is no longer judged, because its threshold was changed"
        ),
        "`default` was silent for 9h00m: the source github sent nothing for 9h00m",
        "`default` is silent: no event has arrived for 30m",
    ]


def test_a_pull_request_that_goes_round_explains_why_nothing_merges() -> None:
    round_ = _alert("going_round", 2, sentence="#7 entered the queue 4 times; normal is fewer than 3 times")

    (incident,) = incidents_of([NO_MERGE, round_])

    assert incident.sentence == "`default` is stuck: #7 entered the queue 4 times; 2 wait"


def test_a_figure_that_stays_high_for_days_does_not_hide_a_later_standstill() -> None:
    told = "p95 of time to merge in `default` is 1h24m, above 1h00m, over the last 24 hours"
    high = _alert("time_to_merge_p95", -72, origin=SET, sentence=told)
    slow = _alert("runs_slow", -96, sentence="CI runs of the last hours took 2.0 times as long as usual")
    also_high = replace(high, id="march", origin=REFERENCE, since=START)

    found = incidents_of([high, LONG_RUN, slow, also_high])

    assert [("run_too_long",), ("time_to_merge_p95",) * 2, ("runs_slow",)] == [
        tuple(alert.figure for alert in incident.alerts) for incident in found
    ]
    assert [told, "`default`: CI runs of the last hours took 2.0 times as long as usual"] == [
        incident.sentence for incident in found[1:]
    ]


def test_what_ended_before_the_next_began_is_another_incident_and_so_is_another_queue() -> None:
    alerts = [
        _alert("run_too_long", 0, 1),
        _alert("nothing_merges", 1, 2),
        _alert("run_too_long", 1.5, queue_name="hotfix"),
    ]

    assert [("hotfix", None), ("default", START + 2 * HOUR), ("default", START + HOUR)] == [
        (incident.queue_name, incident.ended_at) for incident in incidents_of(alerts)
    ]


_ALERTS = st.lists(
    st.builds(
        lambda number, figure, since, lasted, queue: _alert(
            figure, since, lasted and since + lasted, id=f"{number}", queue_name=queue
        ),
        st.integers(0, 10**6),
        st.sampled_from(FIGURES),
        st.integers(0, 40),
        st.one_of(st.none(), st.integers(1, 8)),
        st.sampled_from(["default", "hotfix"]),
    ),
    max_size=12,
    unique_by=lambda alert: alert.id,
)


@given(_ALERTS, st.randoms())
def test_the_order_in_which_alerts_are_given_does_not_matter(alerts: list[Alert], random: Random) -> None:
    shuffled = list(alerts)
    random.shuffle(shuffled)

    assert incidents_of(alerts) == incidents_of(shuffled)


@given(_ALERTS)
def test_every_alert_is_in_one_incident_and_incidents_of_a_kind_do_not_overlap(alerts: list[Alert]) -> None:
    found = incidents_of(alerts)

    assert sorted(alert.id for alert in alerts) == sorted(one.id for it in found for one in it.alerts)
    for place, one in enumerate(found):
        for other in found[place + 1 :]:
            assert not _is_alike(one, other) or _ends_before(one, other) or _ends_before(other, one)


def _is_alike(one: Incident, other: Incident) -> bool:
    is_same_queue = one.queue_name == other.queue_name
    is_same_kind = {one.cause.figure, other.cause.figure} <= {*CAUSES} or (
        one.cause.figure == other.cause.figure
    )
    return is_same_queue and is_same_kind


def _ends_before(one: Incident, other: Incident) -> bool:
    return one.ended_at is not None and one.ended_at <= other.since
