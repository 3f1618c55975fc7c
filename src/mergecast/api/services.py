"""What handlers share, created once at startup."""

from collections.abc import Awaitable, Callable, Coroutine, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from os import getpid
from pathlib import Path
from socket import gethostname
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request

from mergecast.access.address import limit_key
from mergecast.access.audit import Audit
from mergecast.access.guard import Guard
from mergecast.access.rights import Admission, visitor
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.api.access_log import AccessLog
from mergecast.api.fair_shares import FairShare, Streams, Turn, while_connected
from mergecast.api.platform_access import Platform
from mergecast.api.problems import Renamed, UnknownRepository
from mergecast.api.request_body import Buffers
from mergecast.api.responses import Answers
from mergecast.api.routing import ADMISSION, admission_of
from mergecast.errors import Unavailable
from mergecast.incoming.intake.follower import Follow, Follower
from mergecast.incoming.intake.intake import CHECKS_KEEP, KEEP, Intake, Keep
from mergecast.process.clock import now_in_microseconds
from mergecast.process.metrics import Metrics
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.store import QUERIES, Store
from mergecast.queues.store.values import KnownRepository
from mergecast.sandbox.fork_server import FORECASTS, ForkServer
from mergecast.sandbox.limits import FORECAST_LIMITS
from mergecast.sandbox.pool import CHILDREN, MOST_WAITING, Judge
from mergecast.signals.diagnosis.diagnosis import Diagnosis
from mergecast.signals.notices.channels import Channels
from mergecast.signals.notices.keys import Keys
from mergecast.signals.notices.outbox import Outbox
from mergecast.signals.notices.sender import Sender
from mergecast.signals.notices.setup import NoticeSettings, make_post
from mergecast.signals.watch.alerts import AlertWatch

# A simulation omits a forecast that takes longer.
SIMULATED_FORECAST_SECONDS = 10.0

# Where the build puts the dashboard's files; an installation may lack them.
BUILT_DASHBOARD = Path(__file__).with_name("dashboard")

# How many callers can have a forecast under way; they take turns within it.
FORECASTERS = 4
_DIAGNOSIS = "diagnosis"  # takes turns with the callers

T = TypeVar("T")


def forecasting_process() -> Judge:
    """A few processes, of which one works at a time: statistics need the other processors."""
    return Judge(FORECASTERS, ForkServer(FORECASTS), FORECAST_LIMITS.deadline_seconds, stops_abandoned=True)


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
    answers: Answers = field(default_factory=Answers)
    queries: FairShare = field(default_factory=partial(FairShare, QUERIES, QUERIES - 1, 100, "the readers"))
    children: FairShare = field(default_factory=partial(FairShare, CHILDREN, CHILDREN, 100, "the children"))
    forecasts: FairShare = field(
        default_factory=partial(FairShare, FORECASTERS, 1, 8, "the forecasting processes")
    )
    forecasting_time: FairShare = field(
        default_factory=partial(FairShare, 1, 1, 8, "the forecasting processes")
    )
    buffers: Buffers = field(init=False)
    now: Callable[[], int] = now_in_microseconds
    prefix: str = ""  # the path that a proxy adds before these routes
    public_url: str = ""  # where clients reach this service: with the prefix, without a final slash
    judge: Judge = field(default_factory=Judge)
    forecaster: Judge = field(default_factory=forecasting_process)
    simulated_forecast_seconds: float = SIMULATED_FORECAST_SECONDS
    platform: Platform | None = None  # without it, simulations use recorded snapshots only
    streams: Streams = field(default_factory=partial(Streams, 500, 50))
    exports: FairShare = field(default_factory=partial(FairShare, 20, 2, 8, "the exports"))
    is_stopping: Callable[[], bool] = lambda: False
    webhook_secrets: tuple[WebhookSecret, ...] = field(default=(), repr=False)  # without any, they are off
    deliveries_keep: int = KEEP
    checks_keep: int = CHECKS_KEEP
    events_keep: int | None = None  # None: for ever
    follows: tuple[Follow, ...] = ()
    intake: Intake = field(init=False)
    dashboard: Path = BUILT_DASHBOARD
    follower: Follower = field(init=False)
    alert_watch: AlertWatch = field(init=False)
    diagnosis: Diagnosis = field(init=False)
    notices: NoticeSettings = field(default_factory=NoticeSettings)
    channels: Channels = field(init=False)
    sender: Sender = field(init=False)
    audit: Audit = field(init=False)

    def __post_init__(self) -> None:
        holder = f"{gethostname()}-{getpid()}"
        object.__setattr__(self, "buffers", Buffers(self.guard.admit_again))
        keep = Keep(self.deliveries_keep, self.checks_keep, self.events_keep)
        intake = Intake(self.database, self.now, holder, keep)
        object.__setattr__(self, "intake", intake)
        object.__setattr__(self, "audit", Audit(self.database, self.now))
        turn = partial(self.queries.turn, _DIAGNOSIS)
        object.__setattr__(self, "diagnosis", Diagnosis(self.database, self.now, holder, turn))
        object.__setattr__(self, "follower", Follower(self.database, intake, self.now, holder))
        object.__setattr__(self, "alert_watch", AlertWatch(self.database, self.now, holder))
        post, keys = make_post(self.notices), Keys(self.notices.secret_keys, self.notices.key_folder)
        channels = Channels(self.database, post, keys, self.now, self.public_url)
        object.__setattr__(self, "channels", channels)
        outbox = Outbox(self.database, self.now, self.public_url)
        object.__setattr__(self, "sender", Sender(outbox, post, keys, holder))

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

    async def ask_forecaster(
        self, caller: Hashable, ask: Callable[[Judge, Turn], Coroutine[Any, Any, T]]
    ) -> T:
        """A forecast; callers take turns, also while a long one is under way."""
        seconds = self.forecaster.patience.waiting_seconds
        async with (
            self.forecasts.turn(caller, seconds=seconds),
            self.forecasting_time.turn(caller, seconds=seconds) as turn,
        ):
            return await ask(self.forecaster, turn)

    async def ask_child(
        self, request: Request, task: str, question: msgspec.Struct | bytes, answer: type[T]
    ) -> T:
        """A child's answer; callers take turns."""
        if len(self.children) >= MOST_WAITING:
            raise Unavailable("too many documents are waiting to be read; try again in a moment")
        caller = admission_of(request).caller.identity
        async with self.children.turn(caller, seconds=self.judge.patience.waiting_seconds):
            return await self.judge.ask(task, question, answer)
