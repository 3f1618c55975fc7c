"""The rights of a caller, for every right and every scope."""

import asyncio
from pathlib import Path
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.access.application_keys import ApplicationKeys, WantedKey
from mergecast.access.credential import read_credential
from mergecast.access.rights import OPERATOR, Caller, CredentialKind, Right, repository_named
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store

WIDGETS = Repository("acme", "widgets")
_NOW = 1_000_000


@pytest.mark.parametrize(
    ("scopes", "rights"),
    [
        (set(), {Right.LIST, Right.READ}),
        ({"read"}, {Right.LIST, Right.READ}),
        ({"ingest"}, {Right.LIST, Right.READ, Right.INGEST}),
        ({"admin"}, {Right.LIST, Right.READ, Right.PRODUCTS, Right.SETTINGS, Right.CHANNELS}),
        (
            {"read", "ingest", "admin"},
            {Right.LIST, Right.READ, Right.INGEST, Right.PRODUCTS, Right.SETTINGS, Right.CHANNELS},
        ),
    ],
    ids=["none", "read", "ingest", "admin", "all"],
)
def test_rights_of_scopes(data_folder: Path, scopes: set[str], rights: set[Right]) -> None:
    """Every key can read; only `ingest` can send events, and only `admin` can set products and channels."""
    database = open_store(data_folder)
    keys = ApplicationKeys(database, lambda: _NOW)

    async def caller() -> Caller:
        _, secret = await keys.make(WantedKey("a test", "Acme", frozenset(scopes), None))
        credential = read_credential([f"Bearer {secret}".encode()])
        assert credential is not None
        found = await keys.caller(credential, _NOW)
        await keys.close()
        return found

    found = asyncio.run(caller())
    database.close()

    assert rights == {right for right in Right if found.may(right, WIDGETS)}
    assert {Right.LIST} == {right for right in Right if found.may(right, Repository("acme-corp", "widgets"))}
    assert {Right.LIST} == {right for right in Right if found.may(right, None)}


def test_only_a_key_for_all_owners_adds_sources(data_folder: Path) -> None:
    """It reads every repository; a key of one owner adds no sources, whatever its scopes are."""
    database = open_store(data_folder)
    keys = ApplicationKeys(database, lambda: _NOW)

    async def caller(owner: str) -> Caller:
        _, secret = await keys.make(WantedKey("a test", owner, frozenset({"sources"}), None))
        credential = read_credential([f"Bearer {secret}".encode()])
        assert credential is not None
        return await keys.caller(credential, _NOW)

    async def callers() -> list[Caller]:
        found = [await caller(owner) for owner in ("*", "acme")]
        await keys.close()
        return found

    of_all, of_one = asyncio.run(callers())
    database.close()

    assert {Right.LIST, Right.SOURCES} == {right for right in Right if of_all.may(right, None)}
    assert of_all.may(Right.READ, WIDGETS)
    assert {Right.LIST} == {right for right in Right if of_one.may(right, None)}


def test_the_operator_has_every_right() -> None:
    """Also without a repository, or with an invalid name."""
    assert all(OPERATOR.may(right, repository) for right in Right for repository in (WIDGETS, None))


_OWNERS = st.text(ascii_letters + digits + "-", min_size=1, max_size=40)


@given(_OWNERS, _OWNERS)
def test_an_owner_reads_only_its_own_repositories(mine: str, other: str) -> None:
    """Whole names are compared, without case."""
    caller = Caller(CredentialKind.APPLICATION, "id", "id", frozenset({Right.READ}), mine.lower())

    assert caller.may(Right.READ, repository_named(mine.swapcase(), "widgets"))
    is_same = mine.lower() == other.lower()
    assert is_same == caller.may(Right.READ, repository_named(other, "widgets"))


@given(st.text(max_size=50), st.text(max_size=110))
def test_an_invalid_name_belongs_to_no_owner(owner: str, name: str) -> None:
    """Whatever its lower case is."""
    repository = repository_named(owner, name)

    assert repository is None or (owner + name).isascii()
    if repository is None:
        caller = Caller(
            CredentialKind.SERVICE, "", b"", frozenset(Right), owner.lower(), frozenset({WIDGETS})
        )
        assert not caller.may(Right.READ, repository)
