"""The weekly digest: when it is due, and what it says."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from mergecast.queues.model.exit_words import in_words
from mergecast.queues.model.instant import WEEK, duration, format_instant
from mergecast.queues.model.window import Window, grid_for
from mergecast.queues.stats.question import Page, Question
from mergecast.queues.stats.stays import STAYS, Stays
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.removals import NOT_REMOVED
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.health.summary import SUMMARY_WITH_VERDICT
from mergecast.signals.notices.channel import Schedule
from mergecast.signals.notices.notice import Digest, DigestFigure, ExitReason, RepositoryDigest, SlowStay

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SLOWEST = 3
_REASONS = 5
_MOST_STAYS = 5_000
# What a digest shows: the figure, its name, and how to write it.
_FIGURES = (
    ("merged", "Merged", "count"),
    ("time_in_queue_p50", "Time in queue, p50", "seconds"),
    ("time_in_queue_p95", "Time in queue, p95", "seconds"),
    ("failure_rate", "Failure rate", "rate"),
    ("ci_runs_per_merge", "CI runs per merge", "number"),
    ("waiting_capacity", "Waiting for capacity, mean", "seconds"),
)


def last_due(schedule: Schedule, now: int) -> int:
    """The last instant at which a digest was due."""
    zone = ZoneInfo(schedule.time_zone)
    local = datetime.fromtimestamp(now / 1e6, UTC).astimezone(zone)
    days = (local.weekday() - DAYS.index(schedule.day)) % 7
    due = (local - timedelta(days=days)).replace(hour=schedule.hour, minute=0, second=0, microsecond=0)
    if due > local:
        due -= timedelta(days=7)
    return int(due.astimezone(UTC).timestamp()) * 1_000_000


def read_digest(reader: Reader, known: KnownRepository, end: int, pages: str) -> RepositoryDigest:
    """A sentence about the week before `end`, and its figures; `pages` is the URL of the repository."""
    window = Window(end - WEEK, end)
    known = reader.current(known) or known
    groups = reader.groups(known.id)
    question = Question(
        known.id, window, window, grid_for(window), groups, known.first_at,
        page=Page("-seconds", _MOST_STAYS), last_at=known.last_at, is_present=True,
    )  # fmt: skip
    summary: Any = msgspec.to_builtins(SUMMARY_WITH_VERDICT.answer(reader, question))
    stays = STAYS.answer(reader, question)
    if not isinstance(stays, Stays):
        raise TypeError("stays have another type")
    figures = summary["all"]
    digest = Digest(
        format_instant(window.start),
        format_instant(window.end),
        [
            DigestFigure(name, figures[key]["value"], figures[key]["change"], _text(figures[key], form))
            for key, name, form in _FIGURES
        ],
        [
            SlowStay(stay.pull_request, stay.queue_name, stay.seconds, f"{pages}/pulls/{stay.pull_request}")
            for stay in stays.stays[:_SLOWEST]
        ],
        _frequent([stay.reason for stay in stays.stays]),
    )
    return RepositoryDigest(str(known.repository), summary["verdict"]["sentence"], pages, digest)


def together(owner: str, digests: Sequence[RepositoryDigest]) -> tuple[str, list[RepositoryDigest]]:
    """A sentence about several repositories of an owner, and their digests, the busiest first."""
    merged = {one.repository: int(one.digest.figures[0].value or 0) for one in digests}
    every = sum(merged.values())
    pulls = "1 pull request" if every == 1 else f"{every:,} pull requests"
    sentence = f"{owner} merged {pulls} in {len(digests)} repositories in the last week."
    return sentence, sorted(digests, key=lambda one: (-merged[one.repository], one.repository.lower()))


def _frequent(reasons: list[str | None]) -> list[ExitReason]:
    counts: dict[str, int] = {}
    for reason in reasons:
        if reason is not None and reason not in NOT_REMOVED:
            counts[reason] = counts.get(reason, 0) + 1
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [ExitReason(reason, in_words(reason), count) for reason, count in ordered[:_REASONS]]


def _text(figure: Any, form: str) -> str:
    value, change = figure["value"], figure["change"]
    if value is None:
        return "nothing"
    match form:
        case "seconds":
            shown = duration(value)
        case "rate":
            shown = f"{value:.1%}"
        case "count":
            shown = f"{value:,.0f}"
        case _:
            shown = f"{value:.2f}"
    if change is None:
        return shown
    return f"{shown} ({change * 100:+.1f} points)" if form == "rate" else f"{shown} ({change:+.0%})"
