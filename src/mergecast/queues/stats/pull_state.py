"""Where a pull request stands, in few words: the small answer for programs that wait."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

import msgspec

from mergecast.queues.answers.pulls import Removal, ShortAlert, ShortWait
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.verdict import NO_VERDICT, Verdict
from mergecast.queues.stats.outcomes import Removed
from mergecast.queues.stats.verdicts import MOST_STAYS, said_about
from mergecast.queues.stats.waiting_sentence import WaitingFor
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.verdicts import verdicts_of_stays

_SENTENCE_BYTES: Final = 640


class Ending(NamedTuple):
    """A stay, as far as the state depends on it."""

    stay: int
    entered_at: int | None
    left_at: int | None
    reason: str | None

    @property
    def changed_at(self) -> int:
        return (self.entered_at or 0) if self.left_at is None else self.left_at


class Judged(NamedTuple):
    """A removal, and its verdict if there is one."""

    left_at: int
    reason: str
    verdict: Verdict | None


class PullEndings(NamedTuple):
    """How the stays of a pull request ended: the one that changed last, and the last removal."""

    last: Ending | None = None
    has_open: bool = False
    removed: Judged | None = None

    @property
    def is_merged(self) -> bool:
        return self.last is not None and self.last.left_at is not None and self.last.reason in NO_VERDICT


def read_endings(reader: Reader, repository_id: int, number: int) -> PullEndings:
    stays = _stays(reader, repository_id, number)
    if not stays:
        return PullEndings()
    last = max(stays, key=lambda stay: stay.changed_at)
    has_open = any(stay.left_at is None for stay in stays)
    found = PullEndings(last, has_open)
    return (
        found if found.is_merged else found._replace(removed=_removed(reader, repository_id, number, stays))
    )


def _stays(reader: Reader, repository_id: int, number: int) -> list[Ending]:
    """Of two that changed at the same time, the later one comes first."""
    rows = reader.rows("endings_of_pull", [repository_id, number, MOST_STAYS + 1])
    if len(rows) > MOST_STAYS or any(row[1] is None for row in rows):
        rows = reader.rows("history_stays", [repository_id, number, MOST_STAYS])
        return [Ending(row[0], *row[6:9]) for row in rows]
    found = [Ending(stay, *times) for stay, _, *times in rows]
    return sorted(found, key=attrgetter("stay"), reverse=True)


def _removed(reader: Reader, repository_id: int, number: int, stays: Iterable[Ending]) -> Judged | None:
    removals = [
        (stay.left_at, stay) for stay in stays if stay.left_at is not None and stay.reason not in NO_VERDICT
    ]
    if not removals:
        return None
    left_at, stay = max(removals)
    row = verdicts_of_stays(reader, repository_id, [stay.stay]).get(stay.stay)
    removed = Removed(stay.stay, number, "", "", left_at, stay.reason or "UNKNOWN", None)
    return Judged(left_at, removed.reason, said_about(removed, row))


def removal(judged: Judged, *, is_being_judged: bool) -> Removal:
    said = judged.verdict
    instant = format_instant(judged.left_at)
    if said is None:
        return Removal(instant, judged.reason, is_being_judged, None, None, None)
    return Removal(instant, judged.reason, False, said.cause, said.act, shortened(said.sentence))


def short_wait(waiting: WaitingFor) -> ShortWait:
    evidence = waiting.evidence
    failed_at = None if evidence.failed is None else evidence.failed.ended_at
    alert = None if evidence.alert is None else ShortAlert(evidence.alert.figure, evidence.alert.since)
    return ShortWait(
        waiting.reason, shortened(waiting.sentence), waiting.until, evidence.ci_started_at, failed_at, alert
    )


def shortened(sentence: str) -> str:
    """The sentence, or its beginning, in so many bytes of JSON: names in it may be long."""
    if _length(sentence) <= _SENTENCE_BYTES:
        return sentence
    lengths: Sequence[int] = range(len(sentence))
    fitting = bisect_right(lengths, _SENTENCE_BYTES, key=lambda length: _length(f"{sentence[:length]}…"))
    return f"{sentence[: fitting - 1]}…"


def _length(sentence: str) -> int:
    return len(msgspec.json.encode(sentence))
