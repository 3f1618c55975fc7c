"""Prints the history of a pull request; every text of the server is escaped."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mergecast.cli.kept_since import print_kept_since
from mergecast.cli.output import counted, escape, print_table
from mergecast.cli.periods import Zone
from mergecast.queues.model.event import MERGED_REASONS
from mergecast.queues.model.figures import WAITS
from mergecast.queues.model.instant import duration

if TYPE_CHECKING:
    from mergecast.client.answers import Bisection, CiRun, PullHistory, StayInDetail

_TRIES = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COLUMNS = ("CI run", "started", "took", "ended", "together with")
_FAILED = frozenset({"CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED"})


def print_history(repository: str, found: "PullHistory", zone: Zone, now: datetime) -> None:
    for line in _head(repository, found, zone, now):
        print(line)
    stays = found.stays
    for place, stay in enumerate(stays):
        print()
        print(_stay_line(len(stays) - place, stay, zone))
        _print_stay(stay, zone, now)
    print_kept_since(found.kept_since, zone)


def _head(repository: str, found: "PullHistory", zone: Zone, now: datetime) -> Iterator[str]:
    about, name = found.pull, f"{repository}#{found.pull_request}"
    if about is None:
        yield f"{name} · times in {zone.name}"
    else:
        author = f" by {escape(about.author)}" if about.author else ""
        yield f"{name} · {escape(about.title)}{author} · times in {zone.name}"
        yield from [escape(about.url)] if about.url else []
    yield headline(found.stays, now)
    if found.waiting_for:
        yield escape(zone.translated(found.waiting_for.sentence, now))
    elif found.waiting_for is not None:
        yield "this server is older and does not say why a pull request waits; upgrade it"


def headline(stays: "Sequence[StayInDetail]", now: datetime) -> str:
    """How it ended, after how many tries and how much time in queues.

    >>> headline([], datetime.fromisoformat("2026-03-02T10:00:00Z"))
    'has not been in a queue'
    """
    if not stays:
        return "has not been in a queue"
    newest, count = stays[0], len(stays)
    spent = [seconds for stay in stays if (seconds := _seconds(stay, now)) is not None]
    least = "" if len(spent) == count else "at least "
    time = (
        f"{least}{duration(sum(spent))}{' in all' if count > 1 else ''}" if spent else "for an unknown time"
    )
    tries = f" after {_TRIES[count] if count < len(_TRIES) else count} tries" if count > 1 else ""
    if newest.left_at is None:
        place = f"in the queue for the {_ordinal(count)} time" if count > 1 else "in the queue"
        return f"{place}, {time}"
    if newest.reason in MERGED_REASONS:
        return f"merged{tries}, {time}"
    return f"left without merging{tries}, {time}: {escape(newest.reason or 'unknown reason')}"


def _ordinal(count: int) -> str:
    return {2: "second", 3: "third"}.get(count, f"{count}th")


def _seconds(stay: "StayInDetail", now: datetime) -> float | None:
    if stay.seconds is not None or stay.entered_at is None or stay.left_at is not None:
        return stay.seconds
    return max((now - datetime.fromisoformat(stay.entered_at)).total_seconds(), 0.0)


def _stay_line(ordinal: int, stay: "StayInDetail", zone: Zone) -> str:
    rule = f", {escape(stay.priority_rule_name)}" if stay.priority_rule_name else ""
    place = f"{escape(stay.queue_name)} → {escape(stay.base_ref)}{rule}"
    is_open = stay.left_at is None
    left = "now" if is_open else zone.shown_text(stay.left_at)
    ending = "in the queue" if is_open else escape(stay.reason or "unknown reason")
    return f"stay {ordinal} · {place} · {zone.shown_text(stay.entered_at)} to {left} · {ending}"


def _print_stay(stay: "StayInDetail", zone: Zone, now: datetime) -> None:
    if stay.waiting is not None:
        waits = " · ".join(
            f"{label} {duration(getattr(stay.waiting, name))}" for name, label in WAITS.items()
        )
        print(f"{duration(stay.seconds or 0)}: {waits}")
    if stay.checks:
        print_table(_COLUMNS, [_run(check, stay.pull_request, zone, now) for check in stay.checks])
    for line in _failures(stay.checks):
        print(line)
    for bisection in stay.bisections:
        print(f"bisection of {escape(bisection.batch_id)}: {_found(bisection, stay)}")


def _failures(checks: "Sequence[CiRun]") -> Iterator[str]:
    """Because of which CI check each run failed; a server before CI checks does not know."""
    for check in checks:
        failed = check.failed_ci_check
        if failed is not None and check.outcome in _FAILED:
            link = f" · {escape(failed.url)}" if failed.url else ""
            ending = "timed out" if failed.conclusion == "timed_out" else "failed"
            yield f"{escape(check.batch_id)} · {check.attempt}: {escape(failed.name)} {ending}{link}"


def _run(check: "CiRun", pull_request: int, zone: Zone, now: datetime) -> tuple[str, ...]:
    others = [f"#{number}" for number in check.pull_requests if number != pull_request]
    return (
        f"{check.batch_id} · {check.attempt}",
        zone.shown_text(check.started_at),
        _took(check, now),
        check.outcome or "in progress",
        " ".join(others) or "-",
    )


def _took(check: "CiRun", now: datetime) -> str:
    if check.started_at is None:
        return "-"
    end = now if check.ended_at is None else datetime.fromisoformat(check.ended_at)
    return duration(max((end - datetime.fromisoformat(check.started_at)).total_seconds(), 0.0))


def _found(bisection: "Bisection", stay: "StayInDetail") -> str:
    steps = counted(len(bisection.steps), "step")
    if bisection.ended_at is None:
        return f"{'in progress' if stay.left_at is None else 'end not reported'}, {steps}"
    culprit = "culprit found" if bisection.culprit_found else "no culprit found"
    limit = ", limit of failures reached" if bisection.max_failures_reached else ""
    return f"{culprit} in {steps}{limit}"
