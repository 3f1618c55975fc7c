"""The summary of a period with its verdict, as the API answers it and digests use it."""

from dataclasses import replace
from typing import Any

import msgspec

from mergecast.queues.model.instant import HOUR, parse_instant
from mergecast.queues.model.window import Window
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.summary import SUMMARY, Span, Summary
from mergecast.queues.store.problems import has_looked_back
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.targets import read_targets
from mergecast.signals.health.comparison import Figures, name_of
from mergecast.signals.health.standing import Standing, read_standings
from mergecast.signals.health.targets import Met, MetTargets, met_targets, missed
from mergecast.signals.health.verdict import Period, Verdict, verdict

PRESENT = HOUR  # a period that ended longer ago is over: what waits now says nothing about it


def reaches_now(window: Window, now: int) -> bool:
    """Whether a period is judged by what waits now, too."""
    return window.end > now - PRESENT


def answer(reader: Reader, question: Question) -> object:
    """The summary, with a verdict."""
    found: Any = SUMMARY.answer(reader, question)
    queues = {(queue["base_ref"], queue["queue_name"]): queue for queue in found["queues"]}
    compared_with = name_of(_window(found["window"]), _window(found["window_before"]))
    targets = _targets(reader, question, found["all"])
    period = Period(found["all"], queues, compared_with, missed(targets))
    return {**found, "verdict": verdict(period, _standing(reader, question)), "targets": targets}


def _targets(reader: Reader, question: Question, figures: Figures) -> dict[str, Met | None]:
    id = question.repository_id
    queues = {(group.base_ref, group.queue_name) for group in question.groups.values()}
    return met_targets(read_targets(reader, [id]).get(id, ()), queues, figures)


def _standing(reader: Reader, question: Question) -> Standing | None:
    if not question.is_present:
        return None
    id, at = question.repository_id, question.observed.end
    queues = read_standings(reader, {id: question.groups}, at)[id]
    is_looking = question.is_looking and not has_looked_back(reader, id)
    return Standing(at, queues, question.since, question.last_at, is_looking)


def _window(span: Span) -> Window:
    return Window(parse_instant(span.start), parse_instant(span.end))


SUMMARY_WITH_VERDICT = replace(
    SUMMARY,
    answer=answer,
    answer_type=msgspec.defstruct(
        "SummaryWithVerdict", [("verdict", Verdict), ("targets", MetTargets)], bases=(Summary,), kw_only=True
    ),
)
