"""Changes of levels as the API answers them, and in words."""

from typing import Final

from msgspec import UNSET

from mergecast.queues.answers.alerts import AlertChange
from mergecast.queues.answers.changes import Change, Changes, WatchedFigure
from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.instant import DAY, Window, format_instant, to_datetime
from mergecast.queues.model.queue_changes import LevelChange, LevelChanges
from mergecast.queues.model.words import counted

# A change shows after five days of the new level, and once five daily looks in a row agree on it.
_SEEN_AFTER: Final = 9 * DAY
_NO_DAY: Final = " On no day so far did enough pull requests merge."


def answer_of(found: LevelChanges, window: Window, looked_at: Window, kept_since: int | None) -> Changes:
    """Those that began in the window, of what was looked at; what ended earlier may be deleted."""
    shown = [one for one in found.changes if window.start <= one.day * DAY < window.end]
    return Changes(
        format_instant(window.start),
        format_instant(window.end),
        format_instant(looked_at.end),
        date_of(looked_at.start // DAY),
        _sentence(found, len(shown), window, looked_at.end),
        tuple(map(change_of, shown)),
        tuple(WatchedFigure(*figure) for figure in found.figures),
        UNSET if kept_since is None or kept_since <= window.start else format_instant(kept_since),
    )


def change_of(found: LevelChange) -> Change:
    return Change(
        found.figure,
        date_of(found.day),
        date_of(found.earliest),
        date_of(found.latest),
        found.before,
        found.after,
        found.after / found.before if found.before else None,
        date_of(found.shown_on),
        sentence_of(found),
    )


def alert_change_of(found: LevelChange) -> AlertChange:
    """With a sentence as in `Since about 2026-03-12: time to merge, p95: 1h17m → 1h52m.`"""
    began_on = date_of(found.day)
    days = began_on, date_of(found.earliest), date_of(found.latest)
    return AlertChange(*days, found.before, found.after, f"Since about {began_on}: {_levels(found)}.")


def sentence_of(found: LevelChange) -> str:
    """As in `time to merge, p95: 1h17m → 1h52m, began between 2026-03-11 and 2026-03-14`."""
    return f"{_levels(found)}, began {_when(found)}"


def _levels(found: LevelChange) -> str:
    figure = FIGURES[found.figure]
    return f"{figure.words}: {figure.written(found.before)} → {figure.written(found.after)}"


def _when(found: LevelChange) -> str:
    if found.earliest == found.latest:
        return f"on {date_of(found.day)}"
    return f"between {date_of(found.earliest)} and {date_of(found.latest)}"


def _sentence(found: LevelChanges, shown: int, window: Window, looked_at: int) -> str:
    if shown:
        return f"{counted(shown, 'change')} began in this period."
    missing = min((figure.missing for figure in found.figures), default=0)
    if missing:
        nothing = "" if any(figure.known for figure in found.figures) else _NO_DAY
        return (
            f"There is too little history to find changes: it takes {counted(missing, 'more day')}.{nothing}"
        )
    since = max(window.start, looked_at - _SEEN_AFTER)
    if window.end <= since:
        return "No change began in this period."
    recent = date_of(since // DAY)
    return f"No change is known to have begun in this period; one since {recent} may not show yet."


def date_of(day: int) -> str:
    return to_datetime(day * DAY).date().isoformat()
