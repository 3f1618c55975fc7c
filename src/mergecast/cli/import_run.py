"""One import by a command: from a source or its saved pages to a server, once or until interrupted."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mergecast.cli.environment import PREFIX, checked_address, checked_token, github_app, read_token_file
from mergecast.cli.errors import InvalidFile, MissingExtra, WrongUsage
from mergecast.cli.import_display import ImportDisplay
from mergecast.client.client import Client
from mergecast.client.errors import ErrorResponse
from mergecast.incoming.intake.importing.following import Pace, follow, import_once
from mergecast.incoming.intake.importing.importer import Importer, OpenStay, Stored
from mergecast.incoming.platform.app_tokens import AppKey, can_sign
from mergecast.incoming.platform.fetch import PlatformDown
from mergecast.incoming.sources.history_reader import SavedPages
from mergecast.incoming.sources.origin import Account, open_origin
from mergecast.incoming.sources.page import Identity, Item, Place, storable
from mergecast.incoming.sources.source import Source
from mergecast.queues.answers.audit import AuditQuestion
from mergecast.queues.model.instant import format_optional, parse_instant
from mergecast.queues.model.words import counted

_MOST_BYTES, _MOST_ITEMS = 6 << 20, 6000
_NOT_FOUND = 404
_encode = msgspec.json.Encoder().encode


class ClientSink:
    """A repository of a server, for one source."""

    def __init__(self, client: Client, repository: str, source: str) -> None:
        self._client, self._repository, self._source = client, repository, source

    async def identify(self, identity: Identity) -> None:
        if identity.is_named(self._repository):  # --as gives it another name, which stays
            body = msgspec.json.encode({"items": [], "repository": identity._asdict()})
            await asyncio.to_thread(self._client.deliver, self._repository, self._source, body)

    async def cursor(self) -> str | None:
        return await asyncio.to_thread(self._client.cursor, self._repository, self._source)

    async def store(self, items: Sequence[Item], cursor: str | None, reached: int | None) -> Stored:
        return await asyncio.to_thread(self.send, items, cursor, reached)

    def send(self, items: Sequence[Item], cursor: str | None = None, reached: int | None = None) -> Stored:
        """The cursor goes with the last part, when everything before it is stored."""
        *first, last = list(_parts(items))
        instant = format_optional(reached)
        total = Stored()
        for part in first:
            total = total.plus(self._post(part, None, None))
        return total.plus(self._post(last, cursor, instant))

    def _post(self, items: Sequence[msgspec.Raw], cursor: str | None, reached: str | None) -> Stored:
        body = msgspec.json.encode({"items": items, "cursor": cursor, "reached": reached})
        answer = self._client.deliver(self._repository, self._source, body)
        return Stored(**answer)

    async def open_stays(self) -> list[OpenStay]:
        return await asyncio.to_thread(self._open_stays)

    def _open_stays(self) -> list[OpenStay]:
        try:
            queues = self._client.queue(self._repository).value.queues
        except ErrorResponse as error:
            if error.status == _NOT_FOUND:  # nothing is stored yet
                return []
            raise
        return [
            OpenStay(Place(queue.base_ref, entry.pull_request), parse_instant(entry.entered_at))
            for queue in queues
            for entry in queue.entries
            # Ids of stays that a source reports begin with its name.
            if entry.session_id.startswith(f"{self._source}:")
        ]

    async def keep_set_up(self, set_up: AuditQuestion) -> None:
        await asyncio.to_thread(self._keep_set_up, set_up)

    def _keep_set_up(self, set_up: AuditQuestion) -> None:
        try:
            self._client.send_set_up(self._repository, set_up)
        except ErrorResponse as error:
            if error.status != _NOT_FOUND:  # nothing is stored yet, or the server keeps no set-ups
                raise

    async def last_event(self, stay: OpenStay) -> int:
        """When something last happened in a stay."""
        return await asyncio.to_thread(self._last_event, stay)

    def _last_event(self, stay: OpenStay) -> int:
        history = self._client.pull(self._repository, stay.place.number).value
        runs = [run for found in history.stays for run in found.checks]
        happened = [at for run in runs for at in (run.started_at, run.ended_at) if at is not None]
        return max([stay.entered_at, *map(parse_instant, happened)])


def _parts(items: Sequence[Item]) -> Iterator[list[msgspec.Raw]]:
    part: list[msgspec.Raw] = []
    size = 0
    for item in items:
        text = msgspec.Raw(_encode({"id": storable(item.id), "kind": storable(item.kind), "body": item.body}))
        if len(part) == _MOST_ITEMS or (part and size + len(text) > _MOST_BYTES):
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    yield part


class Import:
    def __init__(
        self, client: Client, account: Account, repository: str, name: str, display: ImportDisplay
    ) -> None:
        """`repository` is the name at the source, `name` the one here."""
        self._account, self._repository, self._display = account, repository, display
        self._sink = ClientSink(client, name, account.source)

    async def once(self, since: int) -> Stored:
        origin, fetcher = open_origin(self._account, self._repository, _now, self._display.waiting)
        try:
            importer = Importer(origin, self._sink, _now, self._display.progress)
            return await import_once(importer, since, self._sink.last_event)
        finally:
            await fetcher.close()

    async def follow(self, since: int) -> None:
        origin, fetcher = open_origin(self._account, self._repository, _now, self._display.waiting)
        try:
            await follow(Importer(origin, self._sink, _now), since, self._display.following, Pace())
        finally:
            await fetcher.close()


def _now() -> int:
    return time.time_ns() // 1000


def read_pages(source: Source, files: Sequence[Path], repository: str, name: str) -> list[list[Item]]:
    """The items of each file. `repository` is the name at the source, `name` the one here."""
    if source.saved_pages is None:
        return []
    saved, pages = source.saved_pages(), []
    for file in files:
        entries = _entries(saved, file)
        named = Counter(found for entry in entries if (found := saved.repository(entry)) is not None)
        _check_repository(f"mergecast import {source.name}", file, named, repository, name)
        pages.append([saved.item(entry) for entry in entries])
    return pages


def _entries(saved: SavedPages, file: Path) -> list[dict[str, Any]]:
    try:
        return saved.entries(msgspec.json.decode(file.read_bytes()))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidFile(f"{file}: this is not valid JSON: {error}; nothing is imported") from None
    except PlatformDown as error:
        raise InvalidFile(f"{file}: {error}; nothing is imported") from None


def _check_repository(command: str, file: Path, named: Counter[str], repository: str, name: str) -> None:
    """Refuse a file with entries of another repository; entries that name none are accepted."""
    others = [other for other in named if other.lower() != repository.lower()]
    if not others:
        return
    other = others[0]
    where = f"{file}: {counted(named[other], 'entry', 'entries')} of {other}, not of {repository}"
    if len(named) > 1:
        raise InvalidFile(
            f"{where}; nothing is imported. Save the entries of each repository to a file of its own"
        )
    raise InvalidFile(
        f"{where}; nothing is imported. "
        f"Write `{command} {other} --file {file}`, "
        f"and add `--as {name}` if it is the same repository under another name"
    )


def read_account(source: Source, from_url: str | None, from_token_file: str | None) -> Account:
    """Options take precedence over environment variables."""
    url_name, token_name, *app_names = map(str.upper, source.settings)
    if from_url is not None:
        url = checked_address(from_url, "--from-url")
    else:
        url = checked_address(os.environ.get(f"{PREFIX}{url_name}", source.url), f"{PREFIX}{url_name}")
    if not url:
        raise WrongUsage(f"{PREFIX}{url_name} is empty; pass the URL of {source.title} with --from-url")
    if from_token_file is not None:
        return Account(source.name, url, read_token_file(from_token_file, "--from-token-file"))
    token = checked_token(token_name, f"a token of {source.title}")
    app = _app_key(*app_names) if app_names and token is None else None
    account = Account(source.name, url, token, app)
    if not account.has_credentials:
        by_app = f"; for a GitHub App, set {' and '.join(PREFIX + name for name in app_names)}"
        raise WrongUsage(
            f"{source.title} needs a token: set {PREFIX}{token_name}, "
            f"or pass its file with --from-token-file{by_app if app_names else ''}"
        )
    return account


def _app_key(id_name: str, file_name: str) -> AppKey | None:
    found = github_app(id_name, file_name)
    if found is None:
        return None
    if not can_sign():
        raise MissingExtra(
            "the credentials of a GitHub App need PyJWT, which comes with the server: "
            "install it with `pip install 'mergecast[server]'`, or set MERGECAST_GITHUB_TOKEN"
        )
    id, file = found
    return AppKey(id, Path(file).read_text(encoding="utf-8", errors="replace"))
