"""Added sources and GitHub Apps in every kind of store."""

import asyncio

from mergecast.queues.model.repository import Repository
from mergecast.queues.store.added_sources import (
    AddedSourceRow,
    GitHubAppRow,
    add_added_source,
    add_github_app,
    added_source_id,
    delete_added_source,
    delete_github_app,
    pause_added_source,
    read_added_sources,
    read_github_apps,
    reseal_added_source,
    reseal_github_app,
    set_installed_owners,
)
from mergecast.queues.store.store import Store

_ID = added_source_id("github", Repository("acme", "web"))
_ADDED = AddedSourceRow(
    *(_ID, "github", "Acme/Web", "acme", "web", "https://api.github.com", "sealed", "", 1, "operator")
)
_APP = GitHubAppRow("7", "mergecast", "acme", "https://api.github.com", "sealed", True, "[]", 1)


def test_a_source_is_added_once_paused_resumed_and_deleted(store: Store) -> None:
    async def used() -> None:
        assert await add_added_source(store, _ADDED)
        assert not await add_added_source(store, _ADDED._replace(created_at=2))
        assert [_ADDED] == await read_added_sources(store)
        assert await pause_added_source(store, _ID, 5)
        assert [5] == [row.paused_at for row in await read_added_sources(store)]
        assert await pause_added_source(store, _ID, None)
        await reseal_added_source(store, _ADDED, "again")
        assert [_ADDED._replace(sealed="again")] == await read_added_sources(store)
        assert await delete_added_source(store, _ID)
        assert [] == await read_added_sources(store)
        assert not await delete_added_source(store, _ID)
        assert not await pause_added_source(store, _ID, 5)
        assert await add_added_source(store, _ADDED)

    asyncio.run(used())


def test_two_who_add_the_same_source_at_once_add_it_once(store: Store) -> None:
    async def added() -> list[bool]:
        return sorted(await asyncio.gather(*(add_added_source(store, _ADDED) for _ in range(8))))

    assert [*7 * [False], True] == asyncio.run(added())


def test_an_app_that_a_source_uses_is_not_deleted(store: Store) -> None:
    async def used() -> None:
        assert await add_github_app(store, _APP)
        assert not await add_github_app(store, _APP)
        await set_installed_owners(store, "7", ["Beta", "acme"])
        (app,) = await read_github_apps(store)
        assert (["acme", "beta"], True) == (app.installed_owners, app.has_webhook)
        await reseal_github_app(store, app, "again")
        assert ["again"] == [app.sealed for app in await read_github_apps(store)]
        await add_added_source(store, _ADDED._replace(sealed="", app_id="7"))
        assert not await delete_github_app(store, "7")
        await delete_added_source(store, _ID)
        assert await delete_github_app(store, "7")
        assert [] == await read_github_apps(store)

    asyncio.run(used())


def test_spellings_of_a_name_have_one_id() -> None:
    assert _ID == added_source_id("github", Repository("Acme", "WEB"))
    assert _ID != added_source_id("gitlab", Repository("acme", "web"))
    assert _ID != added_source_id("github", Repository("acme", "web2"))
