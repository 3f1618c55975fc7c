"""Administration: recompute derived data, verify and back up the store."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import BINARY, NDJSON, Operation
from mergecast.api.parameters import refuse_query
from mergecast.api.responses import head_only
from mergecast.api.routing import Route, admission_of
from mergecast.api.services import Services
from mergecast.errors import Conflict, FieldError, MergecastError, Unavailable
from mergecast.process.concurrently import finished
from mergecast.process.data_folder import BACKUP_PREFIX, note_backup
from mergecast.queues.store.audit_rows import check_audit_lines
from mergecast.queues.store.errors import StoreDamaged
from mergecast.queues.store.store import Turn

log = structlog.get_logger("mergecast.api")

_PART = 1 << 20
_BINARY = "application/octet-stream"


class AdministrationHandlers:
    def __init__(self, services: Services, folder: Path) -> None:
        self._services = services
        self._folder = folder
        self._copying = asyncio.Lock()
        self._noting = asyncio.Lock()

    async def rebuild(self, request: Request, _: Mapping[str, str]) -> Response:
        """Recompute the facts of all repositories from their events; a line reports each one."""
        refuse_query(request)
        lines = self._rebuilding(self._turns(request))
        # The status can report only what fails before the first line is written.
        first = await anext(lines, b"")
        return StreamingResponse(_continued(first, lines), media_type="application/x-ndjson")

    def _turns(self, request: Request) -> Turn:
        """Long jobs wait for a turn before each query, so that other callers get theirs."""
        caller = admission_of(request).caller.identity
        return lambda: self._services.queries.turn(caller, has_begun=True)

    async def _rebuilding(self, turn: Turn) -> AsyncGenerator[bytes, None]:
        repositories = [known.repository for known in await self._services.database.repositories()]
        for done, repository in enumerate(repositories, start=1):
            subjects = await self._services.database.rebuild(repository, turn)
            line = {
                "repository": str(repository),
                "subjects": subjects,
                "done": done,
                "of": len(repositories),
            }
            yield msgspec.json.encode(line) + b"\n"

    async def verify(self, request: Request, _: Mapping[str, str]) -> Response:
        """Read everything once and compare facts with events; a line reports each repository."""
        refuse_query(request)
        if request.method == "HEAD":
            return head_only("application/x-ndjson")
        lines = self._verifying(self._turns(request))
        first = await anext(lines, b"")
        return StreamingResponse(_continued(first, lines), media_type="application/x-ndjson")

    async def _verifying(self, turn: Turn) -> AsyncGenerator[bytes, None]:
        repositories = await self._services.database.repositories()
        async for name, damage in self._damage_of_shared_tables():
            line = {"repository": name, "unreadable": str(damage)}
            yield msgspec.json.encode({**line, "done": 0, "of": len(repositories)}) + b"\n"
        for done, known in enumerate(repositories, start=1):
            found: dict[str, object] = {"repository": str(known.repository)}
            try:
                found |= (await self._services.database.verify(known, turn))._asdict()
            except StoreDamaged as damage:
                found["unreadable"] = str(damage)
            yield msgspec.json.encode({**found, "done": done, "of": len(repositories)}) + b"\n"

    async def _damage_of_shared_tables(self) -> AsyncIterator[tuple[str, StoreDamaged]]:
        """Which of the tables that belong to no repository cannot be read."""
        store = self._services.database
        reading: dict[str, Callable[[], Awaitable[int]]] = {
            "application keys": store.read_application_keys,
            "audit lines": partial(check_audit_lines, store),
        }
        for name, read in reading.items():
            try:
                await read()
            except StoreDamaged as damage:
                yield name, damage

    async def backup(self, request: Request, _: Mapping[str, str]) -> Response:
        """A consistent copy of the whole store, as a database file."""
        refuse_query(request)
        if (instead := self._services.database.other_backup) is not None:
            raise Conflict([FieldError("path", "", instead)])
        if request.method == "HEAD":
            return head_only(_BINARY)
        async with self._turns(request)():
            at = self._services.now()
            file = await self._copy()
        await self._services.audit.note(admission_of(request), "backup downloaded", None)
        length = os.fstat(file.fileno()).st_size

        async def parts() -> AsyncIterator[bytes]:
            with file:
                for _ in range(0, length, _PART):
                    yield await asyncio.to_thread(file.read, _PART)
            # A client that has everything may disconnect at once, which cancels this.
            await finished(self._note_backup(at))

        return StreamingResponse(parts(), headers={"Content-Length": str(length)}, media_type=_BINARY)

    async def _note_backup(self, at: int) -> None:
        """Only one that was sent to its end counts."""
        async with self._noting:
            try:
                await asyncio.to_thread(note_backup, self._folder, at)
            except OSError as error:
                log.warning("the time of the backup could not be written", error=str(error))

    async def _copy(self) -> BinaryIO:
        """A copy of the store as an open file that is already deleted from its folder."""
        async with self._copying:
            folder = await asyncio.to_thread(self._make_folder)
            copy = folder / "copy.sqlite"
            try:
                await self._services.database.back_up(copy)
                return await asyncio.to_thread(copy.open, "rb")
            finally:
                # The open file stays readable, and nothing remains on disk however this ends.
                await asyncio.to_thread(shutil.rmtree, folder)

    def _make_folder(self) -> Path:
        try:
            return Path(mkdtemp(dir=self._folder, prefix=BACKUP_PREFIX))
        except OSError as error:
            raise Unavailable(f"cannot write the copy to the data folder: {error.strerror}", 60) from error


async def _continued(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The lines; a failure becomes the last line."""
    yield first
    try:
        async for line in rest:
            yield line
    except MergecastError as error:
        yield msgspec.json.encode({"error": str(error)}) + b"\n"


def administration_routes(services: Services, folder: Path) -> list[Route]:
    handlers, tag = AdministrationHandlers(services, folder), "Administration"
    rebuild = Operation(tag, "Recompute derived data; one line per repository", NDJSON)
    verify = Operation(tag, "Read everything once and compare facts with events", NDJSON)
    backup = Operation(tag, "A consistent copy of the store", BINARY)
    return [
        Route("POST", "/v1/admin/rebuild", Right.OPERATE, handlers.rebuild, rebuild),
        Route("GET", "/v1/admin/verify", Right.OPERATE, handlers.verify, verify),
        Route("GET", "/v1/admin/backup", Right.OPERATE, handlers.backup, backup),
    ]
