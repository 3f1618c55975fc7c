"""Explains why figures differ between two periods."""

from collections.abc import Generator
from typing import Any

import msgspec

from mergecast.forecasting.explanation.answer import Progress
from mergecast.forecasting.explanation.evidence import CheckTimes
from mergecast.forecasting.explanation.explain import explain, too_little
from mergecast.forecasting.explanation.sides import Side, read_side
from mergecast.forecasting.forecast.answer import rounded
from mergecast.judge.messages import ExplanationQuestion, ForecastAnswer, RecordedWindow
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window


def explanation(given: bytes) -> Generator[Progress, None, ForecastAnswer]:
    question = msgspec.json.decode(given, type=ExplanationQuestion)
    first = Window(question.before.start, question.before.end)
    before, after = (_side(recorded, first) for recorded in (question.before, question.after))
    if missing := too_little(before, after):
        return ForecastAnswer(too_little=missing.detail)
    checks = [CheckTimes(one.name, one.before, one.after, one.last_share) for one in question.checks]
    found = yield from explain(before, after, checks, question.seed)
    return ForecastAnswer(answer=msgspec.Raw(msgspec.json.encode(rounded(found))))


def _side(recorded: RecordedWindow, first: Window) -> Side:
    rows = msgspec.json.decode(recorded.events, type=list[tuple[Any, ...]])
    events = [Event(*row) for row in rows]
    return read_side(events, Window(recorded.start, recorded.end), first)
