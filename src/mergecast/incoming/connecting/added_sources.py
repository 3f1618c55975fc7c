"""Adds sources to a running server, lists, pauses and deletes them; the server follows what is not paused."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from mergecast.errors import Conflict, FieldError, InvalidInput, NotFound
from mergecast.incoming.connecting.app_accounts import GITHUB, app_account
from mergecast.incoming.connecting.checking import check_source
from mergecast.incoming.connecting.listed import listed_added, listed_environment
from mergecast.incoming.connecting.state import source_progress
from mergecast.incoming.connecting.wanted import WantedSource
from mergecast.incoming.intake.follower import Follow
from mergecast.incoming.intake.importing.following import Followed
from mergecast.incoming.intake.overview import held_leases
from mergecast.incoming.platform.source_hosts import HostNotAllowed, SourceHosts
from mergecast.incoming.sources.origin import Account
from mergecast.process.addresses import InvalidUrl
from mergecast.process.sealing import CannotDecrypt, Keys
from mergecast.queues.answers.sources import ListedSource, TestedSource
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.added_sources import (
    AddedSourceRow,
    GitHubAppRow,
    add_added_source,
    added_source_id,
    delete_added_source,
    pause_added_source,
    read_added_sources,
    read_github_apps,
    reseal_added_source,
    reseal_github_app,
)
from mergecast.queues.store.store import Store

UNREADABLE = (
    "its token cannot be decrypted, because the key is missing: give the server the key that it was "
    "encrypted with, or remove this source and add it again"
)
_NO_APP = "its GitHub App was deleted: remove this source and add it again"


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """What the operator has set about sources."""

    hosts: SourceHosts = field(default_factory=SourceHosts)
    urls: Mapping[str, str] = field(default_factory=dict)  # by source, where they are not the usual ones
    follows: Sequence[Follow] = ()


class _Unusable(Exception):
    """Why a source cannot be followed."""


class AddedSources:
    look_seconds = 10.0  # how often to look for what other servers have changed

    def __init__(self, store: Store, keys: Keys, now: Callable[[], int], settings: SourceSettings) -> None:
        self.keys, self.settings = keys, settings
        self._store, self._now = store, now
        self._changed = asyncio.Event()
        self._is_resealed = False

    async def listed(self) -> list[ListedSource]:
        """Those from the environment first, then the oldest first."""
        now = self._now()
        leases, apps = await held_leases(self._store, now), await self.apps()
        found = []
        for followed, account in self.settings.follows:
            progress = await source_progress(self._store, followed.source, followed.name, leases, now)
            found.append(listed_environment(followed, account.url, progress))
        for row in await read_added_sources(self._store):
            progress = await source_progress(self._store, row.source, row.here, leases, now)
            app = apps.get(row.app_id)
            found.append(listed_added(row, app and app.slug, progress, self._why_unusable(row, apps)))
        return found

    async def apps(self) -> dict[str, GitHubAppRow]:
        return {app.id: app for app in await read_github_apps(self._store)}

    async def test(self, wanted: WantedSource) -> TestedSource:
        """Read what an import needs; nothing is stored."""
        return await check_source(await self._wanted_account(wanted), wanted.repository, self._now)

    async def add(self, wanted: WantedSource, by: str) -> ListedSource:
        """Test a source and add it; an error says what is wrong with which field."""
        id = added_source_id(wanted.source, wanted.here)
        self._check_environment(wanted)
        if any(row.id == id for row in await read_added_sources(self._store)):
            raise _exists(wanted)
        tested = await self.test(wanted)
        if not tested.is_ok:
            raise InvalidInput([FieldError("body", tested.field or "", tested.sentence)])
        row = AddedSourceRow(
            id, wanted.source, wanted.repository, wanted.here.owner, wanted.here.name, wanted.url, "",
            wanted.app_id or "", self._now(), by,
        )  # fmt: skip
        if wanted.token is not None:
            row = row._replace(sealed=self.keys.make_seal().close(wanted.token.encode(), row.about))
        if not await add_added_source(self._store, row):
            raise _exists(wanted)
        self._changed.set()
        return await self._one(id)

    async def set_paused(self, id: str, *, is_paused: bool) -> tuple[ListedSource, bool]:
        """Pause or resume a source; also returns whether that changed anything."""
        has_changed = is_paused != ((await self._row(id)).paused_at is not None)
        if has_changed:
            await pause_added_source(self._store, id, self._now() if is_paused else None)
            self._changed.set()
        return await self._one(id), has_changed

    async def delete(self, id: str) -> AddedSourceRow:
        """Delete a source with its token; what it delivered stays."""
        row = await self._row(id)
        if not await delete_added_source(self._store, id):
            raise _unknown(id)
        self._changed.set()
        return row

    async def follows(self) -> Mapping[str, Follow]:
        """What this server should follow; a source that was deleted and added again has another key."""
        await self._reseal()
        apps, found = await self.apps(), {}
        for row in await read_added_sources(self._store):
            if row.paused_at is None:
                with suppress(_Unusable):
                    followed = Followed(row.source, row.repository, row.here)
                    found[f"{row.id} {row.created_at}"] = Follow(followed, self._account(row, apps))
        return found

    async def account_for(self, repository: Repository) -> Account | None:
        """How an added source that is not paused reads a repository of GitHub of the same name."""
        id, name = added_source_id(GITHUB, repository), str(repository).lower()
        for row in await read_added_sources(self._store):
            if row.id == id and row.repository.lower() == name and row.paused_at is None:
                with suppress(_Unusable):
                    return self._account(row, await self.apps())
        return None

    async def wait(self) -> None:
        """Until something has changed here, or may have changed on another server."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.look_seconds):
                await self._changed.wait()
        self._changed.clear()

    async def _reseal(self) -> None:
        """Encrypt with the newest key what an earlier one has encrypted, once."""
        seal = self.keys.seal()
        if self._is_resealed or seal is None:
            return
        self._is_resealed = True
        for row in await read_added_sources(self._store):
            with suppress(CannotDecrypt):
                if row.sealed and (sealed := seal.renewed(row.sealed, row.about)) is not None:
                    await reseal_added_source(self._store, row, sealed)
        for app in (await self.apps()).values():
            with suppress(CannotDecrypt):
                if (sealed := seal.renewed(app.sealed, app.about)) is not None:
                    await reseal_github_app(self._store, app, sealed)

    def _account(self, row: AddedSourceRow, apps: Mapping[str, GitHubAppRow]) -> Account:
        seal = self.keys.seal()
        if seal is None:
            raise _Unusable(UNREADABLE)
        try:
            if not row.app_id:
                token = seal.open(row.sealed, row.about).decode()
                return Account(row.source, row.url, token, hosts=self.settings.hosts)
            if row.app_id not in apps:
                raise _Unusable(_NO_APP)
            return app_account(apps[row.app_id], seal, self.settings.hosts)
        except CannotDecrypt:
            raise _Unusable(UNREADABLE) from None

    def _why_unusable(self, row: AddedSourceRow, apps: Mapping[str, GitHubAppRow]) -> str | None:
        try:
            self._account(row, apps)
        except _Unusable as error:
            return str(error)
        return None

    async def _wanted_account(self, wanted: WantedSource) -> Account:
        """How to reach a source that is not stored yet; its host is checked before any token is sent."""
        if not self.keys.can_encrypt:
            raise InvalidInput([FieldError("body", "", self.keys.missing)])
        if wanted.token is not None:
            await self._check_host(wanted.url)
            return Account(wanted.source, wanted.url, wanted.token, hosts=self.settings.hosts)
        app, seal = (await self.apps()).get(wanted.app_id or ""), self.keys.seal()
        if app is None or seal is None:
            message = "there is no such app; GET /v1/sources lists them"
            raise InvalidInput([FieldError("body", "/github_app", message)])
        try:
            return app_account(app, seal, self.settings.hosts)
        except CannotDecrypt:
            raise InvalidInput([FieldError("body", "/github_app", UNREADABLE)]) from None

    async def _check_host(self, url: str) -> None:
        try:
            place = self.settings.hosts.place(url)
            if not place.is_exempt:
                await self.settings.hosts.addresses(place)
        except (InvalidUrl, HostNotAllowed) as error:
            raise InvalidInput([FieldError("body", "/url", str(error))]) from None

    def _check_environment(self, wanted: WantedSource) -> None:
        for followed, _ in self.settings.follows:
            if (followed.source, followed.name) == (wanted.source, wanted.here):
                message = f"{wanted.here} is followed already, because MERGECAST_FOLLOW lists it"
                raise Conflict([FieldError("body", "/repository", message)])

    async def _row(self, id: str) -> AddedSourceRow:
        for row in await read_added_sources(self._store):
            if row.id == id:
                return row
        raise _unknown(id)

    async def _one(self, id: str) -> ListedSource:
        for found in await self.listed():
            if found.id == id:
                return found
        raise _unknown(id)


def _exists(wanted: WantedSource) -> Conflict:
    message = f"{wanted.here} has this source already"
    return Conflict([FieldError("body", "/repository", message)])


def _unknown(id: str) -> NotFound:
    return NotFound(f"there is no added source `{id[:40]}`; GET /v1/sources lists them")
