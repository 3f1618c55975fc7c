"""The tasks of a child that forecasts, without the process around them."""

from typing import Any

import msgspec
import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.judge.child.forecasting import _tasks
from mergecast.judge.messages import (
    EXPECTED_MERGES,
    FORECAST,
    Baseline,
    CheckFound,
    ExpectedMergesAnswer,
    ExpectedMergesQuestion,
    ForecastAnswer,
    ForecastQuestion,
    PolicyGiven,
    RecordedWindow,
)
from mergecast.queues.model.event import Event
from mergecast.queues.model.queue_settings import SettingsInForce

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


_TOLD_AT = _DAYS * 86_400 * SECOND


def _beside_them() -> list[Event]:
    """Others that are tested at the same time."""
    events: list[Event] = []
    for pull in range(1000, 1300, 2):
        at = (pull - 1000) * _DAYS * 86_400 / 300 + 60
        events += [enters(at, pull), *runs((at + 5, at + 605), f"b{pull}", [pull]), leaves(at + 606, pull)]
    return events


def _ask_told(**values: int | str) -> Any:
    """What a forecast understands of a queue of GitHub that says its settings."""
    events = [event._replace(source="github") for event in (*_everybody_comes_back(), *_beside_them())]
    rows = msgspec.Raw(msgspec.json.encode([tuple(event) for event in events]))
    told = SettingsInForce("GitHub", _TOLD_AT, dict(values))
    recorded = RecordedWindow(rows, 0, _TOLD_AT, None, in_force=told)
    question = ForecastQuestion(recorded, PolicyGiven(settings={}), Baseline(), 1)
    answer = _tasks()[FORECAST](msgspec.json.encode(question))
    assert isinstance(answer, ForecastAnswer)
    return msgspec.json.decode(answer.answer)


def test_a_forecast_starts_from_the_settings_that_the_platform_tells() -> None:
    """What it does not tell, and what cannot be, is inferred from the history."""
    told = _ask_told(max_entries_to_build=9, checks_timeout=3600, wait_minutes=1000, merge_method="SQUASH")

    settings = told["settings"]
    assert {"platform": "GitHub", "read_at": "1970-01-21T00:00:00Z"} == settings["told_by"]
    assert "platform" == settings["source_of_baseline"]
    baseline = settings["baseline"]["default"]
    assert (9, 3600, 0) == tuple(
        baseline[name] for name in ("max_entries_to_build", "checks_timeout", "wait_minutes")
    )
    assert baseline == settings["candidate"]["default"]
    assert not [note for note in told["notes"] if "GitHub says" in note]


def test_what_the_history_shows_is_told_where_it_contradicts_the_platform() -> None:
    """More runs at once than GitHub allows now: the settings were others."""
    inferred = _ask_told(merge_method="SQUASH")["settings"]
    assert ("history", None) == (inferred["source_of_baseline"], inferred.get("told_by"))
    slots = inferred["baseline"]["default"]["max_entries_to_build"]
    told = _ask_told(max_entries_to_build=slots - 1)

    assert slots - 1 == told["settings"]["baseline"]["default"]["max_entries_to_build"]
    note = f"GitHub says that max_entries_to_build is {slots - 1}; the recorded weeks show {slots}."
    assert note in told["notes"]


_NOW = _DAYS * 86_400


def _returns(commit: str) -> ExpectedMergesQuestion:
    """Two pull requests failed an hour ago; number 1 comes back with a commit, and number 900 is new."""
    events = _everybody_comes_back()
    events.append(enters(_NOW - 4000, 901, head_sha="a" * 40))
    events += [*runs((_NOW - 3990, _NOW - 3400), "f901", [901], "CHECKS_FAILED")]
    events.append(leaves(_NOW - 3399, 901, "CHECKS_FAILED"))
    again = enters(_NOW - 30, 901, head_sha=commit * 40)._replace(session_id="returned")
    events += [enters(_NOW - 40, 900, head_sha="c" * 40), again]
    rows = msgspec.Raw(msgspec.json.encode([tuple(event) for event in events]))
    checks = (CheckFound("f901", 1, "unit", (_NOW - 3400) * SECOND, has_failed=True),)
    return ExpectedMergesQuestion(RecordedWindow(rows, 0, _NOW * SECOND, None), checks)


def _answer(question: ExpectedMergesQuestion) -> ExpectedMergesAnswer:
    answer = _tasks()[EXPECTED_MERGES](msgspec.json.encode(question))
    assert isinstance(answer, ExpectedMergesAnswer)
    return answer


def _chances(answer: ExpectedMergesAnswer) -> dict[str, float]:
    return {merge.session_id: merge.chance for merge in answer.merges}


def test_a_commit_that_failed_and_comes_back_merges_less_often_than_a_new_one() -> None:
    unchanged, changed = (_chances(_answer(_returns(commit))) for commit in "ab")

    assert unchanged["returned"] < changed["returned"] - 0.05
    assert unchanged["s900"] == pytest.approx(changed["s900"], abs=0.05)


def test_chances_that_go_on_from_what_was_measured_are_the_same() -> None:
    question = _returns("a")
    whole = _answer(question)

    later = _answer(msgspec.structs.replace(question, measured=whole.measured))

    assert (later.merges, later.measured, later.eta) == (whole.merges, None, None)


@pytest.mark.parametrize("place", ["candidate", "baseline"])
def test_wrong_settings_are_refused_before_the_history_is_read(place: str) -> None:
    """Reading takes seconds, and these settings are wrong for every history."""
    unread = RecordedWindow(msgspec.Raw(b'"never read"'), 0, _DAYS * 86_400 * SECOND, None)
    wrong = PolicyGiven(settings={"batch_size": 0}, queues={"a/b": {"batch_siz": 1}})
    given = {"candidate": PolicyGiven(), "baseline": None, place: wrong}
    question = ForecastQuestion(unread, given["candidate"] or PolicyGiven(), Baseline(given["baseline"]), 1)

    answer = _tasks()[FORECAST](msgspec.json.encode(question))

    assert isinstance(answer, ForecastAnswer)
    assert [f"/{place}/settings/batch_size", f"/{place}/queues/a~1b/batch_siz"] == [
        error.pointer for error in answer.errors
    ]
