"""The summary of a period with the state of its queues, as the API answers it and digests use it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from mergecast.queues.answers.summary import Comparison, Span
from mergecast.queues.model.figures import why_missing
from mergecast.queues.model.instant import HOUR, Window, format_instant, grid_for, parse_instant
from mergecast.queues.model.threshold import SetThreshold
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.summary import SUMMARY, Summary
from mergecast.queues.store.alerts import is_examined
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.thresholds import read_thresholds
from mergecast.signals.state.comparison import Compared, judged_by
from mergecast.signals.state.exceeded import ShownThresholds, exceeded, shown_thresholds
from mergecast.signals.state.judgement import Period, State, state_of
from mergecast.signals.state.standing import Standing, read_standings

PRESENT = HOUR  # a period that ended longer ago is over: what waits now says nothing about it


def reaches_now(window: Window, now: int) -> bool:
    """Whether a period is judged by what waits now, too."""
    return window.end > now - PRESENT


def answer(reader: Reader, question: Question) -> object:
    """The summary, with a state."""
    found: Any = SUMMARY.answer(reader, question)
    queues = {(queue["base_ref"], queue["queue_name"]): queue for queue in found["queues"]}
    own = judged = _compared(found)
    if question.before is None:
        judged = judged_by(own, lambda window: _compared(SUMMARY.answer(reader, _over(question, window))))
    id = question.repository_id
    thresholds = read_thresholds(reader, [id]).get(id, [])
    asked = {(group.base_ref, group.queue_name) for group in question.groups.values()}
    shown = shown_thresholds(thresholds, asked, found["all"])
    period = Period(own, judged, queues, exceeded(shown))
    state = state_of(period, _standing(reader, question, thresholds))
    return {
        **found,
        "state": state,
        "comparison": judged.shown(),
        "thresholds": shown,
        "missing": why_missing(found["all"]),
        "not_compared": _not_compared(question, own.before),
    }


def _not_compared(question: Question, before: Window) -> str | None:
    """Why no figure has a change."""
    since = max(question.since or question.observed.end, question.kept_since or before.start)
    if since <= before.start:
        return None
    return f"Nothing is known of {format_instant(before.start)} to {format_instant(min(since, before.end))}."


def _compared(found: Any) -> Compared:
    return Compared(_window(found["window"]), _window(found["window_before"]), found["all"])


def _over(question: Question, window: Window) -> Question:
    return replace(question, window=window, grid=grid_for(window), with_intervals=False)


def _standing(reader: Reader, question: Question, thresholds: Sequence[SetThreshold]) -> Standing | None:
    if not question.is_present:
        return None
    id, at = question.repository_id, question.observed.end
    queues = read_standings(reader, {id: question.groups}, {id: thresholds}, at)[id]
    is_looking = question.is_looking and not is_examined(reader, id)
    return Standing(at, queues, question.since, question.last_at, is_looking)


def _window(span: Span) -> Window:
    return Window(parse_instant(span.start), parse_instant(span.end))


SUMMARY_WITH_STATE = replace(
    SUMMARY,
    answer=answer,
    has_state=True,
    answer_type=msgspec.defstruct(
        "SummaryWithState",
        [
            *(("state", State), ("comparison", Comparison), ("thresholds", ShownThresholds)),
            *(("missing", dict[str, str]), ("not_compared", str | None)),
        ],
        bases=(Summary,),
        kw_only=True,
    ),
)
