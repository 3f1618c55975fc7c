"""Shows the progress of an import: a bar with an estimate in a terminal, occasional lines in a pipe."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from mergecast.cli.output import escape
from mergecast.cli.periods import read_zone
from mergecast.incoming.intake.importing.following import FollowState
from mergecast.incoming.intake.importing.importer import Progress as ImportProgress
from mergecast.incoming.platform.patient import Waiting
from mergecast.queues.model.instant import duration, format_instant
from mergecast.queues.model.words import counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_SECONDS_BETWEEN_LINES = 10.0
_SHORTEST_WAIT_TOLD = 5.0
_LEAST_SHARE = 1000  # of the whole must be read before the rest can be estimated
_CLEAR = "\r\x1b[K"


class ImportDisplay:
    """Writes to standard error."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._zone = read_zone(None, utc=False)
        self._bar: tuple[Progress, TaskID] | None = None
        self._has_state = False  # the cursor is at the end of a line of state
        self._error: str | None = None
        self._began = self._told = self._waits_until = clock()

    @contextmanager
    def shown(self) -> Iterator[None]:
        """A bar, in a terminal."""
        if not sys.stderr.isatty():
            yield
            return
        from mergecast.cli.output import share_progress

        with share_progress() as bars:
            self._bar = bars, bars.add_task("reading", total=None)
            yield
        self._bar = None

    def progress(self, progress: ImportProgress) -> None:
        total = max(progress.window.end - progress.window.start, 1)
        # A page may end with entries from before the window.
        done = max(0, min(progress.window.end - progress.reached, total))
        if self._bar is not None:
            bars, task = self._bar
            bars.update(task, total=total, completed=done, description=self._reached(progress))
        elif self._clock() - self._told >= _SECONDS_BETWEEN_LINES:
            self._told = self._clock()
            left = (self._clock() - self._began) * (total - done) / max(done, 1)
            # The first pages of an import may not reach back at all.
            estimate = f", about {duration(left)} left" if done * _LEAST_SHARE >= total else ""
            self._line(f"{self._reached(progress)}{estimate}")

    def waiting(self, waiting: Waiting) -> None:
        """Say once why nothing happens: requests that run at the same time wait for the same reason."""
        until = self._clock() + waiting.seconds
        if waiting.seconds >= _SHORTEST_WAIT_TOLD and until > self._waits_until + 1:
            self._waits_until = until
            self._line(f"waiting {duration(waiting.seconds)}: {waiting.reason}")

    def failed(self, error: Exception) -> None:
        """Show why the first import failed before following continues."""
        self._line(f"{error}; trying again")

    def following(self, state: FollowState) -> None:
        """One line of state, replacing the last one in a terminal; a new error keeps its own line there."""
        polled_at, next_at = self._minute(state.polled_at), self._minute(state.next_at)
        if state.error is None:
            text = f"{polled_at}  {counted(state.stored, 'new item')}, next poll at {next_at}"
        else:
            text = f"{polled_at}  failed, next try at {next_at}"
        if not sys.stderr.isatty():
            self._line(text if state.error is None else f"{text}: {state.error}")
            return
        if state.error is not None and state.error != self._error:
            self._line(state.error)
        self._error, self._has_state = state.error, True
        # A line that wraps could not be replaced.
        width = get_terminal_size().columns - 1
        print(f"{_CLEAR}{escape(text)[:width]}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """End the line of state."""
        if self._has_state:
            print(file=sys.stderr, flush=True)

    def _line(self, text: str) -> None:
        if self._bar is not None:
            self._bar[0].console.print(escape(text), markup=False, highlight=False)
            return
        before = _CLEAR if self._has_state else ""
        self._has_state = False
        print(f"{before}{escape(text)}", file=sys.stderr, flush=True)

    def _reached(self, progress: ImportProgress) -> str:
        return f"back to {self._minute(progress.reached)}, {counted(progress.items, 'item')} read"

    def _minute(self, instant: int) -> str:
        """In the local time zone: a reader compares it with a clock."""
        return self._zone.shown_text(format_instant(instant))
