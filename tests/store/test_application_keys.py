"""Application keys in the store: there after opening again, gone after revoking."""

import asyncio
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.queues.model.credentials import SCOPES, ApplicationKey
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.values import Selection

KEY = ApplicationKey("0123456789ab", bytes(range(32)), "dashboard", "Acme", ("read",), 1_000)

_INSTANTS = st.integers(-(2**53), 2**53)
_KEYS = st.builds(
    ApplicationKey,
    st.text("0123456789abcdef", min_size=12, max_size=12),
    st.binary(min_size=32, max_size=32),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=100),
    st.text("aZ9-", min_size=1, max_size=40),
    st.sets(st.sampled_from(SCOPES), min_size=1).map(lambda chosen: tuple(s for s in SCOPES if s in chosen)),
    _INSTANTS,
    st.none() | _INSTANTS,
    st.none() | _INSTANTS,
)


def test_keys_come_back_as_they_were(data_folder: Path) -> None:
    """Whatever they hold, after the store was closed and opened."""
    database = open_store(data_folder)

    @given(st.lists(_KEYS, unique_by=lambda key: key.id, max_size=4))
    @settings(max_examples=15, deadline=None)
    def come_back(keys: list[ApplicationKey]) -> None:
        nonlocal database
        for key in keys:
            asyncio.run(database.add_application_key(key))
        database.close()
        database = open_store(data_folder)
        found = dict(asyncio.run(database.application_keys()))
        for id in found:
            asyncio.run(database.remove_application_key(id))

        assert {key.id: key for key in keys} == found

    try:
        come_back()
    finally:
        database.close()


def test_a_revoked_key_is_gone_for_good(data_folder: Path) -> None:
    """From memory at once, and from the file."""
    database = open_store(data_folder)
    asyncio.run(database.add_application_key(KEY))

    removed = [asyncio.run(database.remove_application_key(id)) for id in (KEY.id, KEY.id, "unknown")]
    left = dict(asyncio.run(database.application_keys()))
    database.close()
    again = open_store(data_folder)
    found = dict(asyncio.run(again.application_keys()))
    again.close()

    assert ([KEY, None, None], {}, {}) == (removed, left, found)


def test_uses_are_written_together(data_folder: Path) -> None:
    """A key that was revoked meanwhile does not come back by that."""
    other = replace(KEY, id="ba9876543210")
    database = open_store(data_folder)
    for key in (KEY, other):
        asyncio.run(database.add_application_key(key))
    asyncio.run(database.mark_as_used({KEY.id: 5_000, other.id: 6_000, "revoked": 7_000}))
    asyncio.run(database.mark_as_used({}))
    database.close()
    again = open_store(data_folder)
    found = dict(asyncio.run(again.application_keys()))
    again.close()

    used = {KEY.id: replace(KEY, last_used_at=5_000), other.id: replace(other, last_used_at=6_000)}
    assert used == found


def test_keys_are_in_a_backup_and_outlive_repositories(tmp_path: Path) -> None:
    """They belong to an owner, not to what is stored of a repository."""
    database = open_store(tmp_path / "first")
    asyncio.run(database.add_application_key(KEY))
    asyncio.run(database.delete_events(Selection(Repository("acme", "widgets"))))
    (tmp_path / "second").mkdir()
    asyncio.run(database.back_up(tmp_path / "second" / FILE_NAME))
    database.close()
    copy = open_store(tmp_path / "second")
    found = dict(asyncio.run(copy.application_keys()))
    copy.close()

    assert {KEY.id: KEY} == found


def test_no_secret_shows_in_the_text_of_a_key() -> None:
    """Not even its digest."""
    assert KEY.digest.hex() not in repr(KEY)
    assert repr(KEY.digest) not in repr(KEY)
