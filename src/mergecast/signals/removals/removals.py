"""One task per server: it judges removals soon after they are stored, and again when something changes."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import structlog

from mergecast.process.concurrently import outlasting
from mergecast.process.lru import RecentEntries
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, Window
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.verdict import REVISED_FOR, WAITS_FOR
from mergecast.queues.store.happened import MOST_ROWS, Happened, read_day, read_happened
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import SETTLING, TOGETHER, KnownRepository
from mergecast.queues.store.verdicts import (
    JudgedPeriod,
    QueueKey,
    QueueState,
    begin_judging,
    end_judging,
    last_state,
    queues_to_judge,
    store_first_verdicts,
    store_period,
)
from mergecast.signals.leading import Leading, Turn

if TYPE_CHECKING:
    from mergecast.signals.removals.replaying import Replay

T = TypeVar("T")
_USUAL, _LONGEST = 7 * DAY, 7168 * DAY  # that is judged in one transaction
_FEW_ROWS = MOST_ROWS // 10
# How long changes wait that concern verdicts of the last minutes, and those that say "wait".
_FRESH_PAUSE, _WAITING_PAUSE = 3 * SECOND, MINUTE
_NEWEST, _NEWEST_PAUSE = 7 * DAY, 15 * SECOND
_MOST_AT_ONCE = 8  # repositories; each takes turns with the others
_MOST_REPLAYS: Final = 8  # in memory, of some megabytes
_MOST_STATES: Final = 64  # in memory, of at most 1 MB

log = structlog.get_logger("mergecast.removals")


class _Read(NamedTuple):
    """A period of a queue, and what was known at its beginning."""

    replay: "Replay"
    happened: Happened
    end: int
    is_last: bool


class _Open(NamedTuple):
    """Verdicts of a repository may change until an instant, but are not judged again before another one."""

    until: int
    not_before: int


class Removals(Leading):
    name, log, failure = "removals", log, "judging removals failed"
    look_seconds = 1.0
    rest_factor = 1.0

    def __init__(self, store: Store, now: Callable[[], int], holder: str, turn: Turn) -> None:
        super().__init__(store, now, holder, turn)
        self._open: dict[Repository, _Open] = {}
        self._newest: dict[Repository, int] = {}  # when the newest removals may be judged again
        self._has_looked = False
        self._computing = asyncio.Lock()
        self._forget()

    def _forget(self) -> None:
        # What queues were like when they were judged last, and some minutes before: a removal costs only
        # what has happened since.
        self._replays: RecentEntries[tuple[int, QueueKey], Replay] = RecentEntries(_MOST_REPLAYS)
        self._states: RecentEntries[tuple[int, QueueKey], QueueState] = RecentEntries(_MOST_STATES)

    def _lead_again(self) -> None:
        self._forget()

    async def judge_soon(self, known: KnownRepository) -> None:
        """Judge what a caller asks for, if this server judges and not a whole history is to be judged."""
        is_short = known.judge_from is not None and known.judge_from > self._now() - DAY
        if known.id in self._under_way or (is_short and await self._leads()):
            await self.judge(known)

    async def judge(self, known: KnownRepository) -> None:
        """Judge everything in a repository that is to be judged, once, however many callers wait for it."""
        await outlasting(self._once(known, self._judge_or_log))

    async def _look(self) -> None:
        """Judge what is due, if no other server of this store does."""
        if not await self._leads():
            return
        # Verdicts that were open when a server stopped are judged again at once.
        until = self._now() + (0 if self._has_looked else TOGETHER)
        settling = max(until, self._now() + SETTLING)
        due = await self._store.repositories_listed("repositories_to_judge", settling)
        for name in dict.fromkeys([*due, *self._open]):
            known = await self._store.repository(name)
            if known is None or not self._is_open(name):
                self._open.pop(name, None)
            if known is not None and self._is_due(known, until) and len(self._under_way) < _MOST_AT_ONCE:
                self._once(known, self._judge_or_log)
            elif known is not None and self._is_settling(known) and len(self._under_way) < _MOST_AT_ONCE:
                self._newest[name] = self._now() + _NEWEST_PAUSE
                self._once(known, self._judge_newest_or_log)
        self._has_looked = True

    def _is_settling(self, known: KnownRepository) -> bool:
        """Whether a history arrives, of which the newest removals can be judged already."""
        is_old = known.judge_from is not None and known.judge_from < self._now() - DAY
        return is_old and self._newest.get(known.repository, 0) <= self._now()

    def _is_open(self, name: Repository) -> bool:
        return name in self._open and self._open[name].until > self._now()

    def _is_due(self, known: KnownRepository, until: int) -> bool:
        if known.judging_from is not None or (known.judge_by is not None and known.judge_by <= until):
            return True
        found, now = self._open.get(known.repository), self._now()
        is_changed = known.judge_from is not None and known.judge_from <= now
        return is_changed and found is not None and found.not_before <= now

    async def _judge_or_log(self, known: KnownRepository) -> None:
        self._newest.pop(known.repository, None)
        await self._or_log(known, self._judge)

    async def _judge_newest_or_log(self, known: KnownRepository) -> None:
        await self._or_log(known, self._judge_newest)

    async def _or_log(
        self, known: KnownRepository, work: Callable[[KnownRepository], Coroutine[Any, Any, None]]
    ) -> None:
        is_done = False
        with self._logged(log, self.failure, repository=str(known.repository)):
            await work(known)
            is_done = True
        if not is_done:
            await asyncio.sleep(self.patience_seconds)

    async def _judge(self, known: KnownRepository) -> None:
        begun = await self._change(known, self._beginning(known))
        if begun is None or begun.judging_from is None:
            return
        queues = partial(queues_to_judge, repository_id=begun.id, since=begun.judging_from)
        open_since: list[int] = []
        for queue in await self._read(begun, queues):
            found = await self._judge_queue(begun, queue)
            if found is None:
                return  # the repository was deleted, or another server judges it
            open_since += found
        again_at = self._note_open(begun.repository, open_since)
        await self._change(begun, partial(end_judging, begun=begun, again_at=again_at))

    async def _judge_newest(self, known: KnownRepository) -> None:
        """Judge the removals of the last days by these days alone; they are judged again with the rest."""
        now = self._now()
        start = (min(now, known.last_at or now) - _NEWEST) // DAY * DAY
        for queue in await self._read(known, partial(queues_to_judge, repository_id=known.id, since=start)):
            work = partial(_read_newest, known=known, queue=queue, start=start, now=now)
            read = await self._read(known, work)
            period = await self._compute(read)
            await self._change(known, partial(store_first_verdicts, repository_id=known.id, period=period))

    def _beginning(self, known: KnownRepository) -> Callable[[HeldRepository], KnownRepository | None]:
        """Begin, but not later than the lease ends: the server that leads then must know all that changed."""
        ends_at = self._lease_ends_at if self._leads_until else None

        def begin(held: HeldRepository) -> KnownRepository | None:
            is_late = ends_at is not None and self._now() >= ends_at
            return None if is_late else begin_judging(held, known.id)

        return begin

    def _note_open(self, name: Repository, open_since: Sequence[int]) -> int | None:
        """Returns when verdicts must be judged again, even if nothing changes: when they become final."""
        now = self._now()
        fresh = [left_at + REVISED_FOR for left_at in open_since if left_at + REVISED_FOR > now]
        until = max(fresh or [left_at + WAITS_FOR for left_at in open_since], default=0)
        if self._is_open(name):  # perhaps in another queue
            until = max(until, self._open[name].until)
        self._open[name] = _Open(until, now + (_FRESH_PAUSE if fresh else _WAITING_PAUSE))
        return min(fresh, default=None)

    async def _judge_queue(self, begun: KnownRepository, queue: QueueKey) -> list[int] | None:
        """Returns when those were removed whose verdicts may still change; None if it may not judge."""
        origin = self._taken((begun.id, queue), begun.judging_from or 0)
        has_little = begun.events < _FEW_ROWS * begun.last_group  # of queues and their priority rules
        span = _LONGEST if has_little else _USUAL
        while True:
            work = partial(_read_period, begun=begun, queue=queue, origin=origin, ends=(span, self._now()))
            read = await self._read(begun, work)
            period = await self._compute(read)
            if not await self._change(begun, partial(store_period, begun=begun, period=period)):
                return None
            if read.is_last:
                break
            is_little = len(read.happened.checks) < _FEW_ROWS
            origin, span = read.replay, min(2 * span, _LONGEST) if is_little else _USUAL
        self._put((begun.id, queue), read.replay)
        return _open_since(read.replay, period)

    def _taken(self, key: tuple[int, QueueKey], since: int) -> "Replay | QueueState | None":
        """What is in memory of a queue, if nothing changed before it."""
        replay, state, last = self._replays.pop(key), self._states.pop(key), min(since, self._now())
        if replay is not None and replay.start <= last:
            return replay
        return state if state is not None and state.at <= last else None

    def _put(self, key: tuple[int, QueueKey], replay: "Replay") -> None:
        self._replays.put(key, replay)
        if replay.recent is not None:
            self._states.put(key, replay.recent)

    async def _compute(self, read: _Read) -> JudgedPeriod:
        """One at a time; then others get their turn."""
        async with self._computing:
            clock = asyncio.get_running_loop().time
            started, today = clock(), self._now() // DAY
            found = await asyncio.to_thread(
                read.replay.judge, read.happened, read.end, today, is_last=read.is_last
            )
            await asyncio.sleep(self.rest_factor * (clock() - started))
            return found

    async def _change(self, known: KnownRepository, work: Callable[[HeldRepository], T]) -> T | None:
        return await self._store.change(known.repository, work, create=False)


def _read_newest(reader: Reader, known: KnownRepository, queue: QueueKey, start: int, now: int) -> _Read:
    """What happened in a queue in its last days, as if nothing had been before."""
    from mergecast.signals.removals.replaying import Replay  # noqa: PLC0415 - it loads a numerical library

    replay, end = Replay.of(queue, None, start), max(now, known.last_at or now) + 1
    happened = read_day(reader, known.id, _groups(reader, known, queue), Window(start, end))
    return _Read(replay, happened, end, is_last=True)


def _groups(reader: Reader, known: KnownRepository, queue: QueueKey) -> list[int]:
    groups = reader.groups(known.id)
    return [id for id, group in groups.items() if (group.base_ref, group.queue_name) == queue]


def _read_period(
    reader: Reader,
    begun: KnownRepository,
    queue: QueueKey,
    origin: "Replay | QueueState | None",
    ends: tuple[int, int],
) -> _Read:
    """What happened next in a queue: at most so long, and up to now."""
    from mergecast.signals.removals.replaying import Replay  # noqa: PLC0415 - it loads a numerical library

    span, now = ends
    if isinstance(origin, Replay):
        replay = origin
    else:
        replay = Replay.of(queue, origin or last_state(reader, begun.id, queue), begun.first_at or now)
    groups = _groups(reader, begun, queue)
    last = max(now, begun.last_at or now) + 1
    watched = replay.engine.stopping_checks
    while True:
        end = min(replay.start + span, last)
        window = Window(replay.start, end)
        if span <= DAY:
            happened: Happened | None = read_day(reader, begun.id, groups, window, watched)
        else:
            happened = read_happened(reader, begun.id, groups, window, watched)
        if happened is not None:
            return _Read(replay, happened, end, is_last=end == last)
        span = max(span // 2 // DAY * DAY, DAY)


def _open_since(replay: "Replay", period: JudgedPeriod) -> list[int]:
    """When the open removals happened: in this period, or before it."""
    return [
        period.removed[session].left_at if session in period.removed else period.start
        for session in replay.engine.open_removals
    ]
