"""`python -m mergecast.judge.child.forecasting`: a child that replays histories under other settings."""

from collections.abc import Generator, Mapping, Sequence

import msgspec

from mergecast.forecast.answer import (
    combination_answer,
    detected_answer,
    forecast_answer,
    search_answer,
    settings_answer,
)
from mergecast.forecast.expected_merge import expected_merges
from mergecast.forecast.forecast import Question, TooLittle, forecast
from mergecast.forecast.search import MOST_COMBINATIONS, Limit, SearchQuestion, search
from mergecast.forecast.settings import errors_of
from mergecast.history.inference import TrainRules, infer
from mergecast.history.reading import read_history
from mergecast.history.structure import History
from mergecast.judge import messages
from mergecast.judge.child.loop import Task, serve
from mergecast.judge.child.policies import WrongPolicy, policies_of
from mergecast.judge.limits import FORECAST_LIMITS
from mergecast.judge.messages import ExpectedMergeFound, ForecastAnswer, RecordedWindow, WrongField
from mergecast.model.event import Event
from mergecast.model.window import Window


def _forecast(given: bytes) -> ForecastAnswer:
    question = msgspec.json.decode(given, type=messages.ForecastQuestion)
    history, trains, errors = _read(question.recorded)
    if errors:
        return ForecastAnswer(errors=errors)
    unchanged, end = [train.policy for train in trains], question.recorded.end
    try:
        baseline = unchanged
        if question.baseline is not None:
            baseline = policies_of(question.baseline, "/baseline", trains, unchanged, end)
        candidate = policies_of(question.candidate, "/candidate", trains, baseline, end)
    except WrongPolicy as wrong:
        return ForecastAnswer(errors=wrong.errors)
    asked = Question(candidate, baseline, _queues(question.recorded), question.seed)
    found = forecast(history, trains, asked)
    if isinstance(found, TooLittle):
        return ForecastAnswer(too_little=found.detail)
    settings = {
        "baseline": settings_answer(trains, baseline),
        "candidate": settings_answer(trains, candidate),
        "source_of_baseline": "history" if question.baseline is None else "request",
        "detected": detected_answer(trains),
    }
    return _answered({"settings": settings, **forecast_answer(found)})


def _search(given: bytes) -> Generator[object, None, ForecastAnswer]:
    question = msgspec.json.decode(given, type=messages.SearchQuestion)
    history, trains, errors = _read(question.recorded)
    errors = errors or tuple(_wrong_variations(question.vary))
    if errors:
        return ForecastAnswer(errors=errors)
    limit = None if question.limit is None else Limit(*question.limit)
    asked = SearchQuestion(question.vary, limit, _queues(question.recorded), question.seed)
    steps = search(history, trains, asked)
    while True:
        try:
            yield combination_answer(next(steps))
        except StopIteration as end:
            found = end.value
            break
    if isinstance(found, TooLittle):
        return ForecastAnswer(too_little=found.detail)
    settings = {
        "baseline": settings_answer(trains, [train.policy for train in trains]),
        "source_of_baseline": "history",
        "detected": detected_answer(trains),
    }
    return _answered({"settings": settings, **search_answer(found)})


def _expected_merges(given: bytes) -> list[ExpectedMergeFound]:
    """Nothing where the history does not suffice."""
    question = msgspec.json.decode(given, type=messages.ExpectedMergesQuestion)
    history, trains, _ = _read(question.recorded)
    found = expected_merges(history, trains)
    if isinstance(found, TooLittle):
        return []
    return [ExpectedMergeFound(one.session_id, one.p50, one.p90, one.chance) for one in found]


def _read(
    recorded: RecordedWindow,
) -> tuple[History, tuple[TrainRules, ...], tuple[WrongField, ...]]:
    events = (Event(*row) for row in recorded.events)
    history = read_history(events, Window(recorded.start, recorded.end))
    name = recorded.queue_name
    if name is not None and name not in history.queue_names:
        known = ", ".join(history.queue_names) or "none"
        message = f"no pull request was in a queue of this name then; the queues of the branch: {known}"
        return history, (), (WrongField("/queue_name", message),)
    return history, infer(history) if history.stays else (), ()


def _wrong_variations(vary: Mapping[str, Sequence[object]]) -> Generator[WrongField, None, None]:
    number = 1
    for name, values in vary.items():
        number *= len(values)
        for place, value in enumerate(values):
            for _, message in errors_of({name: value}):
                yield WrongField(f"/vary/{name}/{place}", message)
    if not 1 <= number <= MOST_COMBINATIONS:
        yield WrongField("/vary", f"must give 1 to {MOST_COMBINATIONS} combinations; these are {number:,}")


def _queues(recorded: RecordedWindow) -> frozenset[str] | None:
    return None if recorded.queue_name is None else frozenset({recorded.queue_name})


def _answered(answer: dict[str, object]) -> ForecastAnswer:
    return ForecastAnswer(answer=msgspec.Raw(msgspec.json.encode(answer)))


def _tasks() -> Mapping[str, Task]:
    return {
        messages.FORECAST: _forecast,
        messages.SEARCH: _search,
        messages.EXPECTED_MERGES: _expected_merges,
    }


if __name__ == "__main__":
    serve(_tasks, FORECAST_LIMITS)
