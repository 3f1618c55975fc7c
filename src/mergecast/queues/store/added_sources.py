"""Sources that were added to a running server, and GitHub Apps; they belong to no repository."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from mergecast.queues.model.repository import Repository
from mergecast.queues.store.store import Store


class AddedSourceRow(NamedTuple):
    """A repository at a source that this server follows."""

    id: str
    source: str
    repository: str  # its name on the platform
    owner: str
    name: str
    url: str
    sealed: str  # the token; empty if it is read with an app
    app_id: str  # empty if it is read with a token
    created_at: int
    created_by: str
    paused_at: int | None = None

    @property
    def here(self) -> Repository:
        """Its name in this store."""
        return Repository(self.owner, self.name)

    @property
    def about(self) -> str:
        """What its token is sealed with."""
        return f"added source {self.id}"


class GitHubAppRow(NamedTuple):
    id: str  # GitHub's own
    slug: str
    owner: str
    url: str  # of the API
    sealed: str
    has_webhook: bool
    installed: str  # the owners of its installations in lower case, a list in JSON
    created_at: int

    @property
    def installed_owners(self) -> list[str]:
        return msgspec.json.decode(self.installed, type=list[str])

    @property
    def about(self) -> str:
        """What its secrets are sealed with."""
        return f"github app {self.id}"


def added_source_id(source: str, here: Repository) -> str:
    """The same for every spelling of a repository's name, so that no store has it twice."""
    return blake2b(f"{source} {here}".lower().encode(), digest_size=8).hexdigest()


async def read_added_sources(store: Store) -> list[AddedSourceRow]:
    rows = await store.read(None, lambda reader: reader.rows("added_sources", []))
    return [AddedSourceRow(*row) for row in rows]


async def add_added_source(store: Store, row: AddedSourceRow) -> bool:
    """Returns whether it was added: False if there is one with its id."""
    return await store.change_shared(lambda shared: shared.change("add_added_source", *row)) > 0


async def pause_added_source(store: Store, id: str, paused_at: int | None) -> bool:
    """Pause it, or resume it with None; returns whether there is one."""
    return await store.change_shared(lambda shared: shared.change("mark_added_source", id, paused_at)) > 0


async def reseal_added_source(store: Store, row: AddedSourceRow, sealed: str) -> None:
    """Replace its encrypted token."""
    await store.change_shared(
        lambda shared: shared.change("mark_added_source_as_sealed", row.id, row.sealed, sealed)
    )


async def delete_added_source(store: Store, id: str) -> bool:
    """Delete it with its token; returns whether there was one."""
    return await store.change_shared(lambda shared: shared.change("delete_added_source", id)) > 0


async def read_github_apps(store: Store) -> list[GitHubAppRow]:
    rows = await store.read(None, lambda reader: reader.rows("github_apps", []))
    return [GitHubAppRow(*row) for row in rows]


async def add_github_app(store: Store, row: GitHubAppRow) -> bool:
    """Returns whether it was added: False if there is one with its id."""
    return await store.change_shared(lambda shared: shared.change("add_github_app", *row)) > 0


async def set_installed_owners(store: Store, id: str, owners: Iterable[str]) -> None:
    """Replace the owners of an app's installations."""
    installed = msgspec.json.encode(sorted({owner.lower() for owner in owners})).decode()
    await store.change_shared(lambda shared: shared.change("set_installed_owners", id, installed))


async def reseal_github_app(store: Store, row: GitHubAppRow, sealed: str) -> None:
    """Replace its encrypted secrets."""
    await store.change_shared(
        lambda shared: shared.change("mark_github_app_as_sealed", row.id, row.sealed, sealed)
    )


async def delete_github_app(store: Store, id: str) -> bool:
    """Delete it with its secrets; returns False if there is none, or an added source uses it."""
    return await store.change_shared(lambda shared: shared.change("delete_github_app", id)) > 0
