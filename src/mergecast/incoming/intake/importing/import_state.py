"""Which parts of a source's history have been imported, and where each of them continues."""

import msgspec

from mergecast.incoming.sources.page import Join, Part, read_position
from mergecast.queues.model.instant import DAY, MINUTE, parse_instant
from mergecast.queues.model.window import Window

# Platforms may list things this late.
_OVERLAP = 10 * MINUTE
_LAST_INSTANT = parse_instant("9999-12-31T23:59:59Z")
# Stays that end after an instant are complete if this much before it has been read, too.
_MARGIN = DAY
_MOST_PARTS = 20  # what lies before them is read again


class ImportState(msgspec.Struct, frozen=True):
    """The cursor that the store keeps for a source: parts that do not touch, newest first."""

    parts: tuple[Part, ...] = ()

    def begin(self, now: int, since: int) -> "ImportState":
        """The state with a part for what is new since the last import, or since then."""
        start = max([since, *(part.window.end - _OVERLAP for part in self.parts[:1])])
        newest = (Part(Window(start, now), now),) if start < now else ()
        return ImportState((*newest, *self.parts)[:_MOST_PARTS])

    def extended(self, since: int) -> "ImportState":
        """The state whose parts reach back to the next one, or as far as is asked for."""
        starts = [*(max(since, part.window.end - _OVERLAP) for part in self.parts[1:]), since]
        parts = zip(self.parts, starts, strict=False)  # without parts, there is nothing to extend
        return ImportState(tuple(part.extended(start) for part, start in parts))

    def to_read(self, since: int) -> Part | None:
        """The newest part that is not read as far back as is asked for."""
        return next((part for part in self.parts if not is_read(part, since)), None)

    def replace(self, old: Part, new: Part, join: Join) -> "ImportState":
        """The state after some more of a part was read; a part that is read joins the one it reaches."""
        place = self.parts.index(old)
        later, earlier = self.parts[:place], self.parts[place + 1 :]
        if new.is_read and earlier and new.window.start <= earlier[0].window.end:
            below, *earlier_ones = earlier
            window = Window(below.window.start, max(new.window.end, below.window.end))
            joined = Part(window, below.reached, join(new.position, below.position))
            return ImportState((*later, joined, *earlier_ones))
        return ImportState((*later, new, *earlier))

    @property
    def current_until(self) -> int | None:
        """The instant up to which everything has been read, as far back as was requested."""
        return next((part.window.end for part in self.parts if part.is_read), None)


def is_read(part: Part, since: int) -> bool:
    """Whether a part is read as far back as is asked for. The rest of it may be asked for later."""
    is_enough = part.reached is not None and part.reached <= since - _MARGIN
    return part.is_read or is_enough or part.window.end <= since


class _Stored(msgspec.Struct, frozen=True):
    """A stored state. Earlier versions kept one covered window, and one that was being read."""

    parts: tuple[Part, ...] = ()
    covered: Window | None = None
    window: Window | None = None
    position: str | None = None

    def state(self) -> ImportState:
        if self.window is None:
            covered = self.covered
            return ImportState(self.parts if covered is None else (Part(covered, covered.start),))
        begun = Part(self.window, None, self.position)
        # A window that began before the covered one included it.
        is_newer = self.covered is not None and self.window.start >= self.covered.start
        covered = self.covered if is_newer else None
        return ImportState((begun,) if covered is None else (begun, Part(covered, covered.start)))


def read_state(text: str | None) -> ImportState:
    """The stored state; one that cannot be understood counts as none, and everything is read again."""
    state = (read_position(text, _Stored) or _Stored()).state()
    return state if all(map(_is_possible, state.parts)) else ImportState()


def _is_possible(part: Part) -> bool:
    start, end = part.window
    return 0 <= start <= end <= _LAST_INSTANT and (part.reached is None or 0 <= part.reached <= _LAST_INSTANT)


def written(state: ImportState) -> str:
    return msgspec.json.encode(state).decode()
