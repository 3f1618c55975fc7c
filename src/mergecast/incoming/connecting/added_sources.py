"""Adds sources to a running server, lists, pauses and deletes them; the server follows what is not paused."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from msgspec import Struct

from mergecast.errors import Conflict, FieldError, InvalidInput, MergecastError, NotFound
from mergecast.incoming.connecting.app_accounts import GITHUB, app_account
from mergecast.incoming.connecting.wanted import WantedSource
from mergecast.incoming.intake.follower import SINCE, Follow
from mergecast.incoming.intake.importing.following import Followed
from mergecast.incoming.intake.importing.importer import read_state
from mergecast.incoming.intake.overview import held_leases, source_overviews
from mergecast.incoming.platform.app_tokens import UnusableApp
from mergecast.incoming.platform.github import REDIRECTS
from mergecast.incoming.platform.patient import Refused, Waiting
from mergecast.incoming.platform.source_hosts import HostNotAllowed, SourceHosts
from mergecast.incoming.sources.origin import Account, Origin, open_origin
from mergecast.incoming.sources.page import Part
from mergecast.incoming.sources.registry import SOURCES
from mergecast.process.addresses import InvalidUrl
from mergecast.process.sealing import CannotDecrypt, Keys
from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.sources import ImportProgress, ListedSource, SourceState, TestedSource
from mergecast.queues.model.delivery import following_name
from mergecast.queues.model.instant import DAY, HOUR, Window, format_instant, format_optional
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
from mergecast.queues.store.values import Lease


class SourceProgress(Struct, frozen=True):
    progress: ImportProgress | None  # None once everything is read
    events: int
    last_delivery_at: DateTime | None
    lease: Lease | None

    def state(self, *, is_paused: bool) -> SourceState:
        if is_paused:
            return "paused"
        if self.lease is None:
            return "waiting"
        if self.lease.error is not None:
            return "failing"
        return "current" if self.progress is None else "importing"


async def source_progress(
    store: Store, source: str, here: Repository, leases: dict[str, Lease], now: int
) -> SourceProgress:
    known = await store.repository(here) or await store.repository_formerly_named(here)
    position = None if known is None else (await store.cursor(known, source)).position
    overviews = await source_overviews(store, here, known, now)
    own = [one for one in overviews if one.source == source]
    return SourceProgress(
        import_progress(position, now),
        max((one.events for one in own), default=0),
        max((one.last_at for one in own if one.last_at is not None), default=None),
        leases.get(following_name(source, here)),
    )


def import_progress(position: str | None, now: int) -> ImportProgress | None:
    """What the stored position of an import says.

    A poll begins a part of a few minutes, which it reads at once: that is no import.
    """
    state = read_state(position)
    parts = (state.begin(now, now - SINCE) if state.is_ahead(now) else state).parts
    start = min((part.window.start for part in parts), default=now - SINCE)
    end = max((part.window.end for part in parts), default=now)
    unread = [part for part in parts if not part.is_read and part.window.end - part.window.start > HOUR]
    if parts and not unread:
        return None
    left = sum(part.read_until - part.window.start for part in unread) if parts else end - start
    share = min(1.0, max(0.0, 1 - left / max(1, end - start)))
    reached = unread[0].read_until if unread else end
    return ImportProgress(
        format_instant(start), format_instant(end), format_instant(reached), round(share, 4)
    )


_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404


class _NotNow(MergecastError):
    """The platform asks to wait, or does not answer; a person is waiting for the result."""


def _give_up(waiting: Waiting) -> None:
    raise _NotNow(waiting.reason)


async def check_source(account: Account, repository: str, now: Callable[[], int]) -> TestedSource:
    """Read the newest page of the history, and a little of everything else that an import reads."""
    origin, fetcher = open_origin(account, repository, now, _give_up)
    try:
        await _read_newest_page(origin, now())
        refused = await _refused(origin)
    except MergecastError as error:
        return _failure(account, repository, error)
    finally:
        await fetcher.close()
    source, credential = SOURCES[account.source], _credential(account)
    if refused:
        what = f"{', '.join(refused)} of {repository}"
        return TestedSource(
            False, f"The {credential} may not read {what}: give it read access.", _field(account)
        )
    return TestedSource(True, f"The {credential} may read {source.history_of} of {repository}.", None)


async def _read_newest_page(origin: Origin, now: int) -> None:
    async with aclosing(origin.pages(Part(Window(now - DAY, now), now))) as pages:
        async for _ in pages:
            break
    if origin.queue is not None:
        await origin.queue.queued(origin.api, origin.url, origin.repository, ())


async def _refused(origin: Origin) -> list[str]:
    """What the token may not read. Where a platform answers 404, there may be nothing to read yet."""
    urls = SOURCES[origin.source].probe.rights_urls(origin.url, origin.repository)
    statuses = {what: (await origin.api.get(url)).status for what, url in urls.items()}
    return [what for what, status in statuses.items() if status in (_UNAUTHORIZED, _FORBIDDEN)]


def _failure(account: Account, repository: str, error: MergecastError) -> TestedSource:
    """What an error means for whoever wants to add the source. None of its texts contains the token."""
    title, reason = SOURCES[account.source].title, str(error).rstrip(".")
    name = title[0].upper() + title[1:]
    if isinstance(error, Refused):
        return _refusal(account, repository, name, error)
    if isinstance(error, UnusableApp):
        return TestedSource(False, f"The app cannot be used: {reason}.", None)
    return TestedSource(False, f"{name} cannot be read at {account.url}: {reason}.", "/url")


def _refusal(account: Account, repository: str, name: str, error: Refused) -> TestedSource:
    credential, reason = _credential(account), str(error).rstrip(".")
    if error.status in (_UNAUTHORIZED, _FORBIDDEN):
        # The message begins with the URL; what it says about 401 is for whoever sets the environment.
        why = "" if error.status == _UNAUTHORIZED else f": {reason.split(': ', 1)[1]}"
        return TestedSource(False, f"{name} does not accept the {credential}{why}.", _field(account))
    if error.status in REDIRECTS:
        moved = f"{name} redirects: {repository} has moved, or the URL is not the final one."
        return TestedSource(False, moved, "/url")
    if error.status in (None, _NOT_FOUND):
        unknown = f"{name} does not know {repository}, or the {credential} may not see it"
        return TestedSource(False, f"{unknown if error.status else reason}.", "/repository")
    return TestedSource(False, f"{name} answered {error.status} at {account.url}.", "/url")


def _credential(account: Account) -> str:
    return "token" if account.token is not None else "app"


def _field(account: Account) -> str | None:
    return None if account.token is None else "/token"


def listed_environment(followed: Followed, url: str, progress: SourceProgress) -> ListedSource:
    return ListedSource(
        None, "environment", *_names(followed.source, followed.repository, str(followed.name), url),
        None, None, None, progress.state(is_paused=False), *_how_it_goes(progress), _error(progress),
    )  # fmt: skip


def listed_added(
    row: AddedSourceRow, app: str | None, progress: SourceProgress, unusable: str | None
) -> ListedSource:
    """`unusable` says why it cannot be followed."""
    state = progress.state(is_paused=row.paused_at is not None)
    if unusable is not None and row.paused_at is None:
        state = "failing"
    return ListedSource(
        row.id, "added", *_names(row.source, row.repository, str(row.here), row.url), app,
        format_instant(row.created_at), row.created_by, state, *_how_it_goes(progress),
        unusable or _error(progress, is_added=True),
    )  # fmt: skip


def _names(source: str, repository: str, name: str, url: str) -> tuple[str, str, str, str, str]:
    return source, SOURCES[source].queue, repository, name, url


def _how_it_goes(
    progress: SourceProgress,
) -> tuple[ImportProgress | None, int, DateTime | None, DateTime | None]:
    next_at = None if progress.lease is None else format_optional(progress.lease.next_at)
    return progress.progress, progress.events, progress.last_delivery_at, next_at


def _error(progress: SourceProgress, *, is_added: bool = False) -> str | None:
    """The last error. What it advises to set is in the environment, where an added source is not."""
    error = None if progress.lease is None else progress.lease.error
    if error is None or not is_added or "; set MERGECAST_" not in error:
        return error
    return f"{error.partition('; set MERGECAST_')[0]}; remove this source, and add it with another token"


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
