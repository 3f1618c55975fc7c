"""Reads what a report shows, all at one state of the data."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from mergecast.queues.answers.pulls import Stays
from mergecast.queues.answers.summary import Span
from mergecast.queues.model.instant import Window, format_instant, parse_instant
from mergecast.queues.model.zone import Zone
from mergecast.queues.stats.answer import Page, Question
from mergecast.queues.stats.published import STATISTICS
from mergecast.queues.stats.statistic import BEFORE, GROUPS, WINDOW, Statistic
from mergecast.queues.stats.stays import STAYS
from mergecast.queues.stats.verdicts import verdict_record
from mergecast.queues.store.reader import Reader
from mergecast.signals.state.report.page import Interval, Report, page
from mergecast.signals.state.summary import SUMMARY_WITH_STATE

_SLOWEST: Final = Page("-seconds", 20)
_REASONS = STATISTICS["queues_pr_exit_reasons"]


def answer(reader: Reader, question: Question) -> str:
    """The page."""
    summary: Any = SUMMARY_WITH_STATE.answer(reader, replace(question, with_intervals=True))
    stays = STAYS.answer(reader, replace(question, page=_SLOWEST))
    if not isinstance(stays, Stays):
        raise TypeError("stays have another type")
    before = _window(summary["window_before"])
    is_cut = (
        question.kept_since is not None and min(question.window.start, before.start) < question.kept_since
    )
    queues = {(queue["base_ref"], queue["queue_name"]) for queue in summary["queues"]}
    judged = verdict_record(reader, question.repository_id, question.window, question.observed.end).queues
    return page(
        Report(
            repository=question.repository,
            filters=_filters(question),
            window=_window(summary["window"]),
            before=before,
            sentence=summary["state"].sentence,
            figures=summary["all"],
            intervals=[_interval(one) for one in summary["series"]],
            cost=summary.get("cost"),
            reasons=_reasons(reader, question),
            stays=stays.stays,
            verdicts=[one for one in judged if (one.base_ref, one.queue_name) in queues],
            kept_since=format_instant(question.kept_since) if is_cut and question.kept_since else None,
            last_at=question.last_at,
            zone=Zone(ZoneInfo(question.time_zone), question.time_zone.removeprefix("Etc/")),
        )
    )


def _filters(question: Question) -> dict[str, list[str]]:
    names = question.filters
    chosen = {
        "base ref": names.base_refs,
        "queue name": names.queue_names,
        "priority rule name": names.priority_rule_names,
    }
    return {what: sorted(kept) for what, kept in chosen.items() if kept}


def _window(span: Span) -> Window:
    return Window(parse_instant(span.start), parse_instant(span.end))


def _interval(figures: Mapping[str, Any]) -> Interval:
    span = (datetime.fromisoformat(figures["start"]), datetime.fromisoformat(figures["end"]))
    return Interval(span, figures)


def _reasons(reader: Reader, question: Question) -> Counter[str]:
    found: Any = _REASONS.answer(reader, question)
    counts: Counter[str] = Counter()
    for entry in (entry for group in found["groups"] for entry in group["stats"]):
        counts[entry.exit_reason] += entry.count
    return counts


REPORT = Statistic(
    name="report",
    summary="A period as one page without scripts, for mail, a wiki or paper",
    parameters=(*GROUPS, *WINDOW, *BEFORE, "time_zone"),
    answer=answer,
    answer_type=str,
    sees_ci_checks=True,
    has_state=True,
)
