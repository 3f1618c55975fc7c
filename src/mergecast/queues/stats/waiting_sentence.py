"""One sentence about what a pull request waits for; it says nothing that the evidence does not show."""

from collections.abc import Callable, Iterator
from math import ceil
from typing import Final

from msgspec import Struct

from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.queue import WaitReason
from mergecast.queues.model.instant import (
    MINUTE,
    SECOND,
    SECONDS_PER_MINUTE,
    duration,
    format_instant,
    parse_instant,
)
from mergecast.queues.model.words import TROUBLE_WORDS, from_here, ordinal, plural
from mergecast.queues.stats.waiting_for import UsualSeconds, WaitEvidence, Waits

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LIKELY: Final = 0.9  # a chance from which on a merge is taken for granted


class WaitingFor(Struct, frozen=True):
    """What a pull request in a queue waits for; `until` is when that ends by itself, if it is known."""

    reason: WaitReason
    sentence: str
    until: DateTime | None
    evidence: WaitEvidence


def described(found: Waits, at: int) -> WaitingFor:
    """Instants in the sentence are in UTC, to the minute; clients show them in the reader's time zone."""
    until = None if found.until is None else format_instant(found.until)
    return WaitingFor(found.reason, "; ".join(_clauses(found, at)), until, found.evidence)


def _clauses(found: Waits, at: int) -> Iterator[str]:
    evidence = found.evidence
    if found.reason == "no_data":
        silent = evidence.alert
        if silent is not None and silent.source is not None:
            yield f"The source `{silent.source}` has sent nothing since {_minute(silent.since)}"
        else:
            yield f"No event has arrived since {_minute(evidence.newest_event_at)}"
        yield "what it waits for is not known"
        return
    yield _place(evidence)
    if evidence.failed is not None:
        yield evidence.failed.sentence[:1].lower() + evidence.failed.sentence[1:]
    yield from _REASONS[found.reason](found, at)
    if evidence.alert is not None and evidence.alert.figure in TROUBLE_WORDS:
        yield TROUBLE_WORDS[evidence.alert.figure].format(_minute(evidence.alert.since))
    yield from _expected(evidence, at)


def _place(evidence: WaitEvidence) -> str:
    estimated = " by time of entry" if evidence.position_is_estimated else ""
    return f"{ordinal(evidence.position)} in `{evidence.queue_name}`{estimated}"


def _ci(found: Waits, at: int) -> Iterator[str]:
    evidence = found.evidence
    if evidence.ci_started_at is None:
        return
    ran = max(at - parse_instant(evidence.ci_started_at), 0) / SECOND
    usual = evidence.usual_ci_seconds
    if usual is None:
        yield f"CI has run for {duration(ran)}"
    elif ran <= usual.high:
        yield f"CI has run for {duration(ran)}"
        yield f"most runs take {_between(usual)}"
    else:
        yield f"CI has run for {duration(ran)}, longer than most runs, which take {_between(usual)}"


def _ahead(found: Waits, _: int) -> Iterator[str]:
    count = found.evidence.ahead or 0
    pulls = f"{_number(count)} {plural(count, 'pull request')}"
    yield f"its CI has passed; it waits for {pulls} ahead" if count else "its CI has passed"


def _batch(found: Waits, at: int) -> Iterator[str]:
    missing, left = (
        found.evidence.missing or 0,
        ceil(((found.until or at) - at) / MINUTE) * SECONDS_PER_MINUTE,
    )
    more = f"{_number(missing)} more {plural(missing, 'pull request')}"
    yield f"its batch waits for {more} or {duration(left)}"


def _capacity(found: Waits, _: int) -> Iterator[str]:
    busy, slots = found.evidence.busy_slots, found.evidence.slots
    if slots is not None:
        is_one = busy == 1 and slots == 1
        yield "the only CI slot is busy" if is_one else f"{busy} of {slots} CI slots are busy"


def _start(found: Waits, at: int) -> Iterator[str]:
    yield from _capacity(found, at)
    yield "its CI has not started"


def _closed(found: Waits, at: int) -> Iterator[str]:
    evidence, until = found.evidence, None if found.until is None else _minute(format_instant(found.until))
    if found.reason == "pause":
        yield f"the queue has been paused since {_minute(evidence.closed_since or '')}"
    elif found.reason == "freeze":
        yield f"the queue is frozen until {until}, judging by earlier weeks"
    else:
        does = "starts no CI" if evidence.closed_stops == "starts" else "merges nothing"
        yield f"the queue {does} until {until}, judging by earlier weeks"
    yield from _ci(found, at)


_REASONS: Final[dict[str, Callable[[Waits, int], Iterator[str]]]] = {
    "ci": _ci,
    "ahead": _ahead,
    "batch": _batch,
    "capacity": _capacity,
    "start": _start,
    "schedule": _closed,
    "freeze": _closed,
    "pause": _closed,
}


def _expected(evidence: WaitEvidence, at: int) -> Iterator[str]:
    expected = evidence.expected_merge
    if expected is None:
        return
    first, last = _minute(expected.p50), _minute(expected.p90)
    is_wide = parse_instant(first) > at and first != last
    yield f"expected {f'between {first} and {last}' if is_wide else f'by {last}'}"
    if evidence.failed is not None or expected.chance < _LIKELY:
        yield from_here(expected.chance)


def _minute(instant: str) -> str:
    """The next whole minute."""
    return format_instant(-(-parse_instant(instant) // MINUTE) * MINUTE)


def _between(usual: UsualSeconds) -> str:
    """From one length to another.

    >>> _between(UsualSeconds(1080, 1860)), _between(UsualSeconds(60, 61))
    ('18m to 31m', '1m')
    """
    low, high = duration(usual.low), duration(usual.high)
    return low if low == high else f"{low} to {high}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
