"""What handlers share: `app.py` creates the services once, and closes what must be closed."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request

from mergecast.access.address import limit_key
from mergecast.access.audit import Audit
from mergecast.access.guard import Guard
from mergecast.access.rights import Admission, visitor
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.api.access_log import AccessLog
from mergecast.api.fair_shares import FairShare, Streams, while_connected
from mergecast.api.mcp_server import McpServer
from mergecast.api.parameters import read_input
from mergecast.api.platform_access import Platform
from mergecast.api.problems import Renamed, UnknownRepository
from mergecast.api.request_body import Buffers
from mergecast.api.responses import Answers
from mergecast.api.routing import ADMISSION, admission_of
from mergecast.errors import Unavailable
from mergecast.incoming.connecting.added_sources import AddedSources
from mergecast.incoming.connecting.github_apps import GitHubApps
from mergecast.incoming.intake.housekeeping import Keep
from mergecast.incoming.intake.intake import Intake
from mergecast.judge.pools import DOCUMENTS
from mergecast.prediction.changes import Changes
from mergecast.prediction.expected_merges import ExpectedMerges
from mergecast.prediction.forecaster import Forecaster
from mergecast.prediction.recommendations import Recommendations
from mergecast.prediction.threshold_previews import ThresholdPreviews
from mergecast.process.metrics import Metrics
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.pool import MOST_WAITING, Pool
from mergecast.signals.alerts.watcher import AlertWatch
from mergecast.signals.notices.channels import Channels
from mergecast.signals.removals.removals import Removals

T = TypeVar("T")


def current_state(reader: Reader, known: KnownRepository) -> KnownRepository:
    """The state that the reader sees; `NotFound` if the repository was deleted after it was looked up."""
    current = reader.current(known)
    if current is None:
        raise UnknownRepository(known.repository)
    return current


@dataclass(frozen=True, slots=True)
class Services:
    database: Store
    guard: Guard
    metrics: Metrics
    access_log: AccessLog
    answers: Answers
    queries: FairShare
    children: FairShare
    exports: FairShare
    streams: Streams
    buffers: Buffers
    now: Callable[[], int]
    prefix: str  # the path that a proxy adds before these routes
    public_url: str  # where clients reach this service: with the prefix, without a final slash
    judge: Pool
    forecaster: Forecaster
    expected_merges: ExpectedMerges
    recommendations: Recommendations
    changes: Changes
    previews: ThresholdPreviews
    simulated_forecast_seconds: float
    platform: Platform | None  # without it, simulations use recorded snapshots only
    is_stopping: Callable[[], bool]
    webhook_secrets: tuple[WebhookSecret, ...] = field(repr=False)  # without any, webhooks are off
    keep: Keep
    intake: Intake
    added_sources: AddedSources
    dashboard: Path
    watch: AlertWatch
    removals: Removals
    channels: Channels
    github_apps: GitHubApps
    audit: Audit
    mcp: McpServer

    def visit(self, request: Request) -> None:
        """Admit a request for a public path that has a body; visitors from one address share their limits."""
        client, headers = request.scope["client"], request.scope["headers"]
        address = self.guard.address(client[0] if client else "", headers)
        request.scope[ADMISSION] = Admission(visitor(limit_key(address)), address)

    async def known(self, repository: Repository) -> KnownRepository:
        """The repository's entry in the store; NotFound when nothing is stored for it."""
        known = await self.find(repository)
        if known is None:
            raise UnknownRepository(repository)
        return known

    async def asked(self, request: Request, segments: Mapping[str, str]) -> KnownRepository:
        """The same for the repository of a path whose query has no parameters."""
        return await self.known(read_input(request, segments).repository)

    async def find(self, repository: Repository) -> KnownRepository | None:
        """The repository's entry in the store, if there is one; a former name raises `Renamed`."""
        known = await self.database.repository(repository)
        if known is None:
            renamed = await self.database.repository_formerly_named(repository)
            if renamed is not None:
                raise Renamed(repository, renamed.repository)
        return known

    async def write(self, repository: Repository, work: Callable[[int | None], Awaitable[T]]) -> T:
        """Do work that may create the repository, with the id of the one that has the name now, if any.

        Nothing is stored under a former name: if the repository is renamed or deleted before the work is
        done, the work begins again.
        """
        while True:
            known = await self.find(repository)
            with suppress(RepositoryRenamed):
                return await work(None if known is None else known.id)

    async def change(self, repository: Repository, work: Callable[[HeldRepository], T]) -> T:
        """Change a repository that was known; an error says so if it has been renamed or deleted."""
        while True:
            done = await self.database.change(repository, lambda held: (work(held),), create=False)
            if done is not None:
                return done[0]
            await self.known(repository)

    async def query(self, request: Request, repository_id: int, work: Callable[[Reader], T]) -> T:
        """Run a query in the caller's turn; it is cancelled when the client disconnects."""
        return await while_connected(request, self._in_turn(request, self.database.read(repository_id, work)))

    async def query_current(
        self, request: Request, known: KnownRepository, work: Callable[[Reader, KnownRepository], T]
    ) -> tuple[KnownRepository, T]:
        """Run a query, with the state of the repository at that moment; `NotFound` if it was deleted."""

        def read(reader: Reader) -> tuple[KnownRepository, T]:
            current = current_state(reader, known)
            return current, work(reader, current)

        return await self.query(request, known.id, read)

    async def snapshot(self, request: Request, known: KnownRepository, number: int) -> bytes | None:
        """The recorded document of a pull request, read in the caller's turn."""
        return await self._in_turn(request, self.database.snapshot(known, number))

    async def _in_turn(self, request: Request, work: Coroutine[Any, Any, T]) -> T:
        try:
            async with self.queries.turn(admission_of(request).caller.identity):
                return await work
        finally:
            work.close()  # if its turn never came

    async def ask_child(
        self, request: Request, task: str, question: msgspec.Struct | bytes, answer: type[T]
    ) -> T:
        """A child's answer; callers take turns."""
        if len(self.children) >= MOST_WAITING:
            raise Unavailable(DOCUMENTS.words.too_many_waiting)
        caller = admission_of(request).caller.identity
        async with self.children.turn(caller, seconds=self.judge.patience.waiting_seconds):
            return await self.judge.ask(task, question, answer)


class Handlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def _note(self, request: Request, event: str, about: Repository | str, **details: object) -> None:
        """Write into the audit who did this."""
        await self._services.audit.note(admission_of(request), event, about, **details)
