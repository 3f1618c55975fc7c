"""The tasks of a child that forecasts, without the process around them."""

from typing import Any

import msgspec
import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.judge.child.forecasting import _tasks
from mergecast.judge.messages import (
    FORECAST,
    Baseline,
    ForecastAnswer,
    ForecastQuestion,
    PolicyGiven,
    RecordedWindow,
)
from mergecast.queues.model.event import Event

pytestmark = pytest.mark.thorough

_DAYS = 20


def _everybody_comes_back() -> list[Event]:
    """One pull request after the other; a tenth fails, and all of these are queued again."""
    events: list[Event] = []
    for pull in range(300):
        at = pull * _DAYS * 86_400 / 300
        if pull % 10 == 0:
            events += [enters(at, pull), *runs((at + 5, at + 605), f"f{pull}", [pull], "CHECKS_FAILED")]
            events.append(leaves(at + 606, pull, "CHECKS_FAILED"))
            at += 1200
        again = [enters(at, pull), *runs((at + 5, at + 605), f"b{pull}", [pull]), leaves(at + 606, pull)]
        events += [event._replace(session_id=f"again{pull}") for event in again]
    return events


def _ask(events: list[Event], settings: dict[str, Any]) -> ForecastAnswer:
    rows = msgspec.Raw(msgspec.json.encode([tuple(event) for event in events]))
    recorded = RecordedWindow(rows, 0, _DAYS * 86_400 * SECOND, None)
    question = ForecastQuestion(recorded, PolicyGiven(settings=settings), Baseline(), 1)
    answer = _tasks()[FORECAST](msgspec.json.encode(question))
    assert isinstance(answer, ForecastAnswer)
    return answer


def test_a_queue_that_never_comes_to_rest_is_an_error_of_the_candidate() -> None:
    """No run ends within a minute, and whoever leaves is queued again."""
    (error,) = _ask(_everybody_comes_back(), {"checks_timeout": 60}).errors

    assert error.pointer == "/candidate"
    assert error.message.startswith("the queue never settles under these settings: more than ")
