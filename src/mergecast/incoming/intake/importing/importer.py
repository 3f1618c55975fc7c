"""Copies the history of a source to a store, page by page; it can be interrupted and repeated.

The cursor says where an import continues (`ImportState`).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import msgspec
from msgspec import structs

from mergecast.incoming.sources.history_reader import QueueReader
from mergecast.incoming.sources.origin import Origin
from mergecast.incoming.sources.page import Absence, Identity, Item, Join, Part, Place, Queued, read_position
from mergecast.queues.answers.audit import AuditQuestion, BranchRules
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, Window, parse_instant

# Platforms may list things this late.
_OVERLAP = 10 * MINUTE
_LAST_INSTANT = parse_instant("9999-12-31T23:59:59Z")
# Stays that end after an instant are complete if this much before it has been read, too.
_MARGIN = DAY
_MOST_PARTS = 20  # what lies before them is read again
# Clocks of servers, and of the platform, may differ this much.
_SKEW = MINUTE


class ImportState(msgspec.Struct, frozen=True):
    """The cursor that the store keeps for a source: parts that do not touch, newest first."""

    parts: tuple[Part, ...] = ()

    def begin(self, now: int, since: int) -> "ImportState":
        """The state with a part for what is new since the last import, or since then.

        What was read while the clock was ahead is not there yet. The day before now is read again, too.
        """
        if self.is_ahead(now):
            return ImportState(tuple(_cut(self.parts, now))).begin(now, since)
        start = max([since, *(part.window.end - _OVERLAP for part in self.parts[:1])])
        newest = (Part(Window(start, now), now),) if start < now else ()
        return ImportState((*newest, *self.parts)[:_MOST_PARTS])

    def is_ahead(self, now: int) -> bool:
        """Whether the clock was ahead when a part was read."""
        return any(part.window.end > now + _SKEW for part in self.parts)

    def extended(self, since: int) -> "ImportState":
        """The state whose parts reach back to the next one, or as far as is asked for."""
        starts = [*(max(since, part.window.end - _OVERLAP) for part in self.parts[1:]), since]
        parts = zip(self.parts, starts, strict=False)  # without parts, there is nothing to extend
        return ImportState(tuple(part.extended(start) for part, start in parts))

    def to_read(self, since: int) -> Part | None:
        """The newest part that is not read as far back as is asked for."""
        return next((part for part in self.parts if not is_read(part, since)), None)

    def with_begin(self, part: Part) -> Part:
        """One of the parts, which also says where the history begins that it continues without a gap."""
        begins = part.window.start
        for earlier in self.parts[self.parts.index(part) + 1 :]:
            if earlier.window.start <= begins <= earlier.window.end:
                begins = earlier.window.start
        return structs.replace(part, earlier_since=begins)

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


def _cut(parts: Iterable[Part], now: int) -> Iterator[Part]:
    """The parts up to a day before now; one that was not read so far back is read from its end again."""
    for part in parts:
        window = Window(part.window.start, min(part.window.end, now - DAY))
        if part.window.end <= now + _SKEW:
            yield part
        elif part.reached is not None and part.reached <= window.end > window.start:
            yield Part(window, part.reached, part.position)


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


# Pages are stored together up to this number of items, but none waits longer than this.
_ITEMS_AT_ONCE = 6000
_LONGEST_WAIT = 1 * SECOND


class Stored(NamedTuple):
    stored: int = 0
    duplicates: int = 0
    not_kept: int = 0
    expired: int = 0

    def plus(self, other: "Stored") -> "Stored":
        return Stored(*(own + another for own, another in zip(self, other, strict=True)))


class OpenStay(NamedTuple):
    place: Place
    entered_at: int


class Sink(Protocol):
    """Where items are stored, together with the cursor.

    `reached` is the instant up to which everything has been read, None during a first import.
    """

    async def identify(self, identity: Identity) -> None:
        """Say which repository of the platform this is, so that one with a former name is found."""
        ...

    async def cursor(self) -> str | None: ...

    async def store(self, items: Sequence[Item], cursor: str | None, reached: int | None) -> Stored: ...

    async def open_stays(self) -> list[OpenStay]:
        """The stays that this source has not ended."""
        ...

    async def keep_set_up(self, set_up: AuditQuestion) -> None:
        """Keep how a branch is set up."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an import, from the end of the window back to the instant reached."""

    window: Window
    reached: int
    items: int


class _ClockAhead(Exception):
    """A part ends later than the platform's clock says, so it is begun again with an earlier end."""


class Importer:
    def __init__(
        self,
        origin: Origin,
        sink: Sink,
        now: Callable[[], int],
        on_progress: Callable[[Progress], None] = lambda _: None,
        *,
        items_at_once: int = _ITEMS_AT_ONCE,
    ) -> None:
        self._origin, self._sink, self._on_progress = origin, sink, on_progress
        self._items_at_once = items_at_once
        self.now = now
        self._is_identified = False
        self._sent: frozenset[str] = frozenset()  # the items of the last short window
        self._last_seen: dict[Place, int] = {}
        self._set_ups: dict[str, tuple[str, BranchRules]] = {}  # the tree and the rules that were kept
        # Not queued at the last check, for no known reason.
        self.missing: dict[Place, OpenStay] = {}

    async def run(self, since: int) -> Stored:
        """Read everything since then that has not been read yet."""
        await self._identify()
        while True:
            with suppress(_ClockAhead):
                return await self._read_all(since, self._now_there())

    def _now_there(self) -> int:
        """Now, or earlier if the platform's clock says so: what happens until then is not listed yet."""
        ahead = self._origin.api.clock.ahead
        return self.now() - ahead if ahead > _SKEW else self.now()

    async def _read_all(self, since: int, now: int) -> Stored:
        state = read_state(await self._sink.cursor()).begin(now, since).extended(since)
        total = Stored()
        while (part := state.to_read(since)) is not None:
            state, stored = await self._read(state, part, since)
            state, total = state.extended(since), total.plus(stored)
        return total

    async def _identify(self) -> None:
        """Once is enough: a platform does not show its history under a name that becomes a former one."""
        if not self._is_identified:
            identity = await self._origin.identity()
            if identity is not None:
                await self._sink.identify(identity)
            self._is_identified = True

    async def _read(self, state: ImportState, part: Part, since: int) -> tuple[ImportState, Stored]:
        """Read a part to its beginning, or as far back as is asked for."""
        window, join = Window(max(part.window.start, since), part.read_until), self._origin.join
        batch = _Batch(self._sink, self.now, self._sent, self._items_at_once)
        try:
            async with aclosing(self._origin.pages(state.with_begin(part))) as pages:
                async for page in pages:
                    self._check_end(part)
                    before, part = part, part.at(page.cursor, page.reached)
                    state = state.replace(before, part, join)
                    await batch.add(page.items, written(state), state.current_until)
                    self._on_progress(Progress(window, page.reached, batch.items))
                    if is_read(part, since):
                        break
                else:
                    state = state.replace(part, part.completed(), join)
        except BaseException:
            await batch.flush()  # what has been read is not read again
            raise
        stored = await batch.end(written(state), state.current_until)
        # A poll lists again most of what the last one listed.
        self._sent = frozenset(batch.ids) if window.end - window.start < DAY else frozenset()
        return state, stored

    def _check_end(self, part: Part) -> None:
        """Refuse a part that ends later than the platform's clock says: later polls would miss the rest."""
        if part.window.end > self._now_there() + _SKEW:
            raise _ClockAhead

    async def check_queue(self) -> Stored:
        """Look for stays that are no longer in the source's queue.

        A stay is reported as absent if two checks in a row miss it and its own history does not say why.
        """
        reader = self._origin.queue
        if reader is None:
            return Stored()
        branches = {stay.place.base_ref for stay in await self._sink.open_stays()}
        at, origin = self._now_there(), self._origin
        queued = await reader.queued(origin.api, origin.url, origin.repository, branches)
        total = await self._store(queued.items)
        await self._keep_set_ups(reader, queued)
        self._last_seen |= dict.fromkeys(queued.places, at)
        missing = await self._missing_from(queued, at)
        if missing:
            total = total.plus(await self._read_one_by_one(reader, missing, at))
            missing = await self._missing_from(queued, at)
        gone = [stay.place for stay in missing if stay.place in self.missing]
        self.missing = {stay.place: stay for stay in missing}
        total = total.plus(await self.close(gone))
        kept = queued.places | self.missing.keys()
        self._last_seen = {place: seen for place, seen in self._last_seen.items() if place in kept}
        return total

    async def _keep_set_ups(self, reader: QueueReader, queued: Queued) -> None:
        """Keep how branches are set up whose workflow files or rules are others than at the last look."""
        origin, read = self._origin, reader.workflows
        if read is None:
            return
        for branch, rules in queued.rules.items():
            tree, kept = self._set_ups.get(branch, (None, None))
            known = tree if kept == rules else None
            files = await read(origin.api, origin.url, origin.repository, branch, known)
            if files is not None:
                set_up = AuditQuestion(
                    base_ref=branch,
                    commit=files.commit,
                    repository=origin.repository,
                    files=files.texts,
                    rules=rules,
                )
                await self._sink.keep_set_up(set_up)
                self._set_ups[branch] = files.tree, rules

    async def close(self, places: Sequence[Place]) -> Stored:
        """Report missing pull requests as absent."""
        reader, at = self._origin.queue, self._now_there()
        for place in places:
            self.missing.pop(place)
        absences = [Absence(place, at, self._last_seen.get(place)) for place in places]
        return await self._store([reader.absent_item(one) for one in absences] if reader else [])

    def wait_for(self, places: Iterable[Place], seconds: float) -> None:
        """Say for which missing pull requests the import waits before it looks again."""
        numbers = ", ".join(f"#{place.number}" for place in sorted(places, key=lambda place: place.number))
        self._origin.wait(f"{numbers} left the queue a moment ago, and {{}} may still say why", seconds)

    async def _missing_from(self, queued: Queued, at: int) -> list[OpenStay]:
        return [
            stay
            for stay in await self._sink.open_stays()
            if stay.entered_at < at
            and stay.place not in queued.places
            and (queued.branches is None or stay.place.base_ref in queued.branches)
        ]

    async def _read_one_by_one(self, reader: QueueReader, missing: Sequence[OpenStay], at: int) -> Stored:
        window = Window(min(stay.entered_at for stay in missing) - HOUR, at)
        origin, places = self._origin, [stay.place for stay in missing]
        found = await reader.read_one_by_one(origin.api, origin.url, origin.repository, places, window)
        return await self._store(found)

    async def _store(self, items: Sequence[Item]) -> Stored:
        return await self._sink.store(items, None, None) if items else Stored()


class _Position(NamedTuple):
    """Where an import resumes, and the instant up to which everything has been read."""

    cursor: str | None
    reached: int | None


class _Request(NamedTuple):
    task: asyncio.Task[Stored]
    reaches: _Position
    saves: _Position


class _Batch:
    """Collects pages and stores them while the next ones are read.

    If the platform is faster than the store, two requests are under way. The first may fail, so the second
    has the position up to which everything is known to be stored, not the one that it reaches itself.
    """

    def __init__(self, sink: Sink, now: Callable[[], int], known: frozenset[str], items_at_once: int) -> None:
        self._sink, self._now, self._known, self._items_at_once = sink, now, known, items_at_once
        self._waiting: list[Item] = []
        self._read_to = self._stored_to = self._saved = _Position(None, None)
        self._since = now()
        self._requests: deque[_Request] = deque()
        self._has_failed = False
        self._total = Stored()
        self.ids: set[str] = set()
        self.items = 0

    async def add(self, items: Sequence[Item], cursor: str, reached: int | None) -> None:
        self._waiting += [item for item in items if item.id not in self._known]
        self.ids.update(item.id for item in items)
        self.items += len(items)
        self._read_to = _Position(cursor, reached)
        if len(self._waiting) >= self._items_at_once:
            await self._finish(most_left=1)
            self._begin()
        elif not 0 <= self._now() - self._since < _LONGEST_WAIT:
            await self._finish()
            self._begin()

    async def flush(self) -> None:
        """Store the collected items and the last position, unless storing earlier ones failed."""
        if self._has_failed:
            return
        await self._finish()
        if self._waiting or self._saved != self._read_to:
            self._begin()
            await self._finish()

    async def end(self, cursor: str, reached: int | None) -> Stored:
        self._read_to = _Position(cursor, reached)
        await self.flush()
        return self._total

    def _begin(self) -> None:
        items, position = self._waiting, self._stored_to if self._requests else self._read_to
        task = asyncio.ensure_future(self._sink.store(items, *position))
        self._requests.append(_Request(task, self._read_to, position))
        self._waiting, self._since = [], self._now()

    async def _finish(self, most_left: int = 0) -> None:
        """Wait until at most so many requests are under way."""
        while len(self._requests) > most_left:
            request = self._requests.popleft()
            try:
                self._total = self._total.plus(await request.task)
            except BaseException:
                self._has_failed = True
                await asyncio.gather(*(other.task for other in self._requests), return_exceptions=True)
                raise
            self._stored_to, self._saved = request.reaches, request.saves
