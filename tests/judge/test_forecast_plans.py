"""Documents and settings as plans for the trains of a history."""

import pytest

from history.recorded import demo_history
from mergecast.forecasting.forecast.plan import Urgency, as_recorded
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.judge.child.policies import Described, WrongPolicy, plans_of
from mergecast.judge.messages import PolicyGiven
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window

_QUEUES = "queue_rules: [{name: default}, {name: hotfix}]\n"


@pytest.fixture(scope="module")
def recorded() -> tuple[tuple[TrainRules, ...], Window]:
    events: list[Event]
    events, window = demo_history(14)
    return infer(read_history(events, window)), window


def _plans(recorded: tuple[tuple[TrainRules, ...], Window], text: str, **remotes: str) -> Described:
    trains, window = recorded
    documents = {f"acme/{name}": document for name, document in remotes.items()}
    given = PolicyGiven(config_yml=text, owner="acme", repository="widgets", remotes=documents)
    return plans_of(given, "/candidate", trains, as_recorded(trains), window)


def test_a_document_brings_its_own_schedule(recorded: tuple[tuple[TrainRules, ...], Window]) -> None:
    """It replaces the recorded one, for the queue that has it only; freezes stay as recorded."""
    rule = "{name: default, merge_conditions: [schedule = Mon-Fri]}"
    described = _plans(recorded, f"queue_rules: [{rule}, {{name: hotfix}}]\n")

    default, hotfix = described.plans
    assert default.schedules is not None
    hours = 3_600_000_000
    # The demo begins on a Monday: closed from the end of Friday to the end of Sunday, each week.
    assert (120 * hours, 168 * hours) in [(span.start, span.end) for span in default.schedules]
    assert {span.rule for span in default.schedules} == {0}
    assert hotfix.schedules == ()


def test_a_document_brings_its_own_priority_rules(
    recorded: tuple[tuple[TrainRules, ...], Window],
) -> None:
    """They are matched by the recorded names; one that no pull request names is reported."""
    rules = """priority_rules:
  - {name: urgent, conditions: [label = x], priority: 2500, allow_checks_interruption: true}
  - {name: unheard-of, conditions: [label = y], priority: low}
"""
    described = _plans(recorded, _QUEUES + rules)

    assert described.plans[0].priority_rules == {
        "urgent": Urgency(2500, interrupts=True),
        "unheard-of": Urgency(1000, interrupts=False),
    }
    assert described.notes == (
        (
            "No recorded pull request names the priority rule `unheard-of`; "
            "the forecast cannot tell which ones it would match."
        ),
    )


def test_what_of_the_clock_cannot_be_replayed_is_reported(
    recorded: tuple[tuple[TrainRules, ...], Window],
) -> None:
    text = """queue_rules:
  - name: default
    queue_conditions: [schedule = Mon-Fri]
    merge_conditions: [{or: [schedule = Mon-Fri, label = urgent]}]
  - name: hotfix
"""
    assert _plans(recorded, text).notes == (
        (
            "A merge condition of `default` combines the time with something unrecorded; "
            "the forecast ignores it."
        ),
        (
            "The queue conditions of `default` depend on the time; "
            "the forecast assumes that pull requests enter when they did."
        ),
    )


def test_a_document_that_extends_another(recorded: tuple[tuple[TrainRules, ...], Window]) -> None:
    """The other one counts if it could be read, else a note says that it does not."""
    extending = "extends: shared\nmerge_queue: {max_parallel_checks: 7}\n"
    shared = "queue_rules: [{name: default, batch_size: 6}, {name: hotfix}]\n"

    whole, part = _plans(recorded, extending, shared=shared), _plans(recorded, extending + _QUEUES)

    assert whole.plans[0].policy.rules[0].batch_size_max == 6
    assert whole.plans[0].policy.max_parallel_checks == 7
    assert whole.notes == ()
    assert part.notes == (
        (
            "The document extends the one of acme/shared, which could not be read; "
            "the forecast does not include it."
        ),
    )


def test_a_queue_that_is_missing_from_the_document(
    recorded: tuple[tuple[TrainRules, ...], Window],
) -> None:
    with pytest.raises(WrongPolicy) as caught:
        _plans(recorded, "queue_rules: [{name: default}]\n")

    (error,) = caught.value.errors
    assert (error.pointer, error.message) == (
        "/candidate/config_yml",
        "the document has no queue named hotfix, which the history has",
    )
