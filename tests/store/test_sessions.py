"""Sessions in every kind of store."""

import asyncio
from dataclasses import replace

from mergecast.queues.model.credentials import Session
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import MOST_SESSIONS_PER_CREDENTIAL
from store.places import OpenStore

SESSION = Session(
    digest=bytes(range(32)),
    is_code=False,
    kind="platform token",
    name="änne",
    credential=bytes(32),
    key_id=None,
    sealed="c2VhbGVk",
    created_at=1_000,
    expires_at=2_000,
)


def _numbered(number: int, **more: object) -> Session:
    return replace(SESSION, digest=number.to_bytes(32), created_at=1_000 + number, **more)  # type: ignore[arg-type]


def test_a_session_lasts_until_it_is_removed(open_again: OpenStore) -> None:
    """It is there after opening the store again, and only one of two callers gets it."""
    code = replace(SESSION, digest=bytes(32), is_code=True, key_id="0123456789ab", sealed=None)

    first = open_again()
    for session in (SESSION, code):
        asyncio.run(first.add_session(session))
    first.close()
    again = open_again()
    found = [asyncio.run(again.session(one.digest)) for one in (SESSION, code)]
    removed = [asyncio.run(again.remove_session(code.digest)) for _ in range(2)]
    left = asyncio.run(again.session(code.digest))
    again.close()

    assert [SESSION, code] == found
    assert [code, None] == removed
    assert left is None


def test_two_uses_of_a_code_at_the_same_time(store: Store) -> None:
    """Exactly one of them gets it."""

    async def race() -> list[Session | None]:
        await store.add_session(SESSION)
        return await asyncio.gather(*(store.remove_session(SESSION.digest) for _ in range(5)))

    found = asyncio.run(race())

    assert [SESSION] == [one for one in found if one is not None]


def test_old_sessions_go(store: Store) -> None:
    """Those that have expired, and the oldest of a credential that has too many."""

    async def fill() -> list[bool]:
        await store.add_session(_numbered(0, credential=b"other", expires_at=1_005))
        await store.add_session(_numbered(1, credential=b"other"))
        for number in range(2, MOST_SESSIONS_PER_CREDENTIAL + 4):
            await store.add_session(_numbered(number, expires_at=10_000))
        return [await store.session(number.to_bytes(32)) is not None for number in range(6)]

    assert [False, True, False, False, True, True] == asyncio.run(fill())


def test_codes_do_not_end_sessions(store: Store) -> None:
    """Of a key that several people share, one person may make any number of codes."""

    async def fill() -> tuple[bool, bool, bool]:
        await store.add_session(_numbered(0, expires_at=10_000))
        for number in range(1, MOST_SESSIONS_PER_CREDENTIAL + 2):
            await store.add_session(_numbered(number, is_code=True, expires_at=10_000))
        session, first, second = [await store.session(number.to_bytes(32)) for number in range(3)]
        return session is not None, first is not None, second is not None

    assert (True, False, True) == asyncio.run(fill())
