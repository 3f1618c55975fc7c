"""Everything that one reader says is of the same moment, whatever is stored or deleted meanwhile."""

import asyncio
from threading import Event as Signal

from mergecast.queues.model.event import Event, Group
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository, Selection

_WIDGETS = Repository("acme", "widgets")
_AT = 20_000 * 86_400_000_000


def _entered(number: int, queue: str) -> Event:
    return Event(f"event-{number}", "queue_entered", _AT + number, "main", queue, None, "api",
                 session_id=f"stay-{number}", pull_request=number)  # fmt: skip


_Seen = tuple[set[Group], KnownRepository | None]


async def _seen_while(store: Store, change: "asyncio.Future[object] | object") -> tuple[_Seen, _Seen]:
    """What one reader sees before and after a change that is made meanwhile."""
    known = await store.repository(_WIDGETS)
    assert known is not None
    has_begun, may_go_on = Signal(), Signal()

    def look(reader: Reader) -> _Seen:
        return set(reader.groups(known.id).values()), reader.current(known)

    def work(reader: Reader) -> tuple[_Seen, _Seen]:
        before = look(reader)
        has_begun.set()
        may_go_on.wait()
        return before, look(reader)

    reading = asyncio.ensure_future(store.read(known.id, work))
    try:
        await asyncio.to_thread(has_begun.wait)
        await change  # type: ignore[misc]
    finally:
        may_go_on.set()
    return await reading


def test_a_reader_sees_what_was_deleted_since_it_began(store: Store) -> None:
    async def scenario() -> tuple[tuple[_Seen, _Seen], KnownRepository | None]:
        await store.record(_WIDGETS, [_entered(1, "default")])
        return await _seen_while(store, store.delete_events(Selection(_WIDGETS))), await store.repository(
            _WIDGETS
        )

    (before, after), now = asyncio.run(scenario())

    assert before == after
    assert {Group("main", "default", None)} == before[0]
    assert now is None


def test_a_reader_does_not_see_what_was_stored_since_it_began(store: Store) -> None:
    async def scenario() -> tuple[_Seen, _Seen]:
        await store.record(_WIDGETS, [_entered(1, "default")])
        return await _seen_while(store, store.record(_WIDGETS, [_entered(2, "hotfix")]))

    before, after = asyncio.run(scenario())

    assert before == after
    assert {Group("main", "default", None)} == before[0]
    assert before[1] is not None
    assert 1 == before[1].events
