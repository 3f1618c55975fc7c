"""The recorded events that a forecast replays, and the part of an answer that says which these are."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from mergecast.errors import MergecastError
from mergecast.forecasting.forecast.answer import Head, Period
from mergecast.forecasting.forecast.requirements import WANTED_DAYS
from mergecast.judge.messages import BEFORE, ForecastAnswer, RecordedWindow
from mergecast.queues.model.instant import DAY, Window, format_instant
from mergecast.queues.model.queue_settings import SettingsInForce, read_standing, thread_of_settings
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import ThreadRow
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository

MOST_EVENTS_OF_FORECAST = 200_000
# A back-test uses this much of the past if it is recorded, however short the window is.
PAST = WANTED_DAYS * DAY
USUAL_SEED = 1
# This many rows are encoded at once; other threads of the server wait meanwhile.
_PIECE = 1000


class RecordedEvents(NamedTuple):
    """The events of a base branch as JSON, and what its platform says about its queue."""

    rows: msgspec.Raw
    in_force: SettingsInForce | None


ReadEvents = Callable[[Reader], RecordedEvents | None]


class ReplayParameters(NamedTuple):
    """What all forecasts have in common."""

    base_ref: str
    queue_name: str | None
    window: Window
    seed: int


class TooManyEvents(MergecastError):
    """The period has more events than a forecast reads."""

    def __init__(self) -> None:
        super().__init__(
            f"there are more than {MOST_EVENTS_OF_FORECAST:,} events in this period; choose a shorter one"
        )


async def recorded_window(
    query: Callable[[int, ReadEvents], Awaitable[RecordedEvents | None]],
    known: KnownRepository,
    replay: ReplayParameters,
    past: int = 0,
) -> RecordedWindow:
    """The events of the window and, for the back-test, of the past before its end unless that is too much."""
    start, end = replay.window
    for since in sorted({min(start, end - past), start}):
        events = await query(known.id, recorded_events(known.id, replay.base_ref, Window(since, end)))
        if events is not None:
            return RecordedWindow(events.rows, start, end, replay.queue_name, since, events.in_force)
    raise TooManyEvents


def recorded_events(repository_id: int, base_ref: str, window: Window) -> ReadEvents:
    """Reads the events of a window and of some days before it; None when there are too many."""
    parameters = [repository_id, base_ref, window.start - BEFORE, window.end, MOST_EVENTS_OF_FORECAST + 1]

    def read(reader: Reader) -> RecordedEvents | None:
        rows = reader.rows("recorded_events", parameters)
        if len(rows) > MOST_EVENTS_OF_FORECAST:
            return None
        return RecordedEvents(_encoded(rows), settings_in_force(reader, repository_id, base_ref))

    return read


def settings_in_force(reader: Reader, repository_id: int, base_ref: str) -> SettingsInForce | None:
    """What the platform said last about the queue of a base branch; None if it said nothing."""
    threads = read_rows(reader, repository_id, ThreadRow, name=[thread_of_settings(base_ref)])
    told = [read_standing(thread.standing) for thread in threads if thread.standing]
    return max(told, key=lambda settings: settings.read_at, default=None)


def _encoded(rows: Sequence[tuple[Any, ...]]) -> msgspec.Raw:
    """The rows as JSON, piece by piece."""
    pieces = [
        msgspec.json.encode(rows[first : first + _PIECE])[1:-1] for first in range(0, len(rows), _PIECE)
    ]
    return msgspec.Raw(b"[" + b",".join(pieces) + b"]")


def head_of(known: KnownRepository, replay: ReplayParameters) -> bytes:
    """What an answer begins with: what was requested, and whether all of it is kept."""
    start, end = replay.window
    window = Period(format_instant(start), format_instant(end))
    kept = known.kept_since
    kept_since = UNSET if kept is None or kept <= start else format_instant(kept)
    return msgspec.json.encode(Head(replay.base_ref, replay.queue_name, window, kept_since))


def whole_answer(head: bytes, answer: ForecastAnswer) -> bytes:
    """The answer of a child, preceded by what was requested."""
    return head[:-1] + b"," + bytes(answer.answer)[1:]
