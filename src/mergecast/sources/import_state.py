"""Which part of a source's history has been imported, and where an interrupted import resumes."""

import msgspec

from mergecast.model.instant import MINUTE, parse_instant
from mergecast.model.window import Window
from mergecast.sources.page import read_position

# Platforms may list things this late.
_OVERLAP = 10 * MINUTE
_LAST_INSTANT = parse_instant("9999-12-31T23:59:59Z")


class ImportState(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cursor that the store keeps for a source."""

    covered: Window | None = None  # all of it was read
    window: Window | None = None  # part of it was read, newest first
    position: str | None = None  # where in the window to resume; None at its beginning

    def to_resume(self, since: int) -> bool:
        """Whether an interrupted import reaches back far enough to be resumed."""
        return self.window is not None and self.window.start <= since

    def begin(self, since: int, now: int) -> "ImportState":
        """A new window up to now: only what is new, if the rest is covered."""
        start = since
        if self.covered is not None and self.covered.start <= since:
            start = max(since, self.covered.end - _OVERLAP)
        return ImportState(self.covered, Window(min(start, now), now))

    @property
    def current_until(self) -> int | None:
        """The instant up to which everything has been read, as far back as was requested."""
        return None if self.covered is None else self.covered.end

    def at(self, position: str) -> "ImportState":
        return ImportState(self.covered, self.window, position)

    def finished(self) -> "ImportState":
        """The window counts as covered, with what was covered before if the two touch."""
        covered, window = self.covered, self.window
        if covered is None or window is None or covered.end < window.start or window.end < covered.start:
            return ImportState(window or covered)
        return ImportState(Window(min(covered.start, window.start), max(covered.end, window.end)))


def read_state(text: str | None) -> ImportState:
    """The stored state; one from another version counts as none, and everything is read again."""
    state = read_position(text, ImportState) or ImportState()
    windows = [window for window in (state.covered, state.window) if window is not None]
    return state if all(0 <= start <= end <= _LAST_INSTANT for start, end in windows) else ImportState()


def written(state: ImportState) -> str:
    return msgspec.json.encode(state).decode()
