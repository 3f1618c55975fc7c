"""Wiring: creates a running server from settings and a data folder."""

import asyncio
import signal
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from os import getpid
from pathlib import Path
from socket import gethostname
from types import FrameType
from typing import Any, Literal

import structlog
import uvicorn

from mergecast.access.application_keys import ApplicationKeys
from mergecast.access.audit import Audit
from mergecast.access.credential import credential_of
from mergecast.access.guard import Guard, GuardContext
from mergecast.access.policy import Policy
from mergecast.access.rights import OPERATOR
from mergecast.access.sessions import Sessions
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.api.access_log import AccessLog
from mergecast.api.application import Application, NotReady
from mergecast.api.dashboard_files import BUILT_DASHBOARD, PAGE
from mergecast.api.fair_shares import FairShare, Streams
from mergecast.api.mcp_server import McpServer
from mergecast.api.platform_access import Platform
from mergecast.api.request_body import Buffers
from mergecast.api.responses import Answers
from mergecast.api.routes import all_routes
from mergecast.api.server.connections import ConnectionLimits, Connections, protocol_for
from mergecast.api.server.meanwhile import open_answering
from mergecast.api.services import Services
from mergecast.api.session import sign_in_link
from mergecast.incoming.connecting.added_sources import AddedSources, SourceSettings
from mergecast.incoming.connecting.added_tokens import AddedTokens
from mergecast.incoming.connecting.github_apps import AppContext, GitHubApps, GitHubPlaces
from mergecast.incoming.forge.live import LiveForge
from mergecast.incoming.intake.follower import Follow, Follower
from mergecast.incoming.intake.housekeeping import CHECKS_KEEP, KEEP, Keep
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.platform.app_tokens import AppKey, InstallationTokens, UnusableApp
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.incoming.platform.github import GitHub
from mergecast.incoming.platform.source_hosts import SourceHosts
from mergecast.incoming.sources.registry import SOURCES
from mergecast.judge.pools import FORECASTS_AT_ONCE, document_pool, forecast_pool
from mergecast.prediction.changes import Changes
from mergecast.prediction.expected_merges import ExpectedMerges
from mergecast.prediction.forecaster import Forecaster
from mergecast.prediction.recommendations import Recommendations
from mergecast.prediction.threshold_previews import ThresholdPreviews
from mergecast.process.clock import now_in_microseconds, passed_in_microseconds
from mergecast.process.logs import write_lines
from mergecast.process.metrics import Metrics
from mergecast.process.sealing import Keys
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.store import QUERIES, Store
from mergecast.sandbox.pool import CHILDREN, Pool
from mergecast.settings import Settings
from mergecast.signals.alerts.watcher import AlertWatch
from mergecast.signals.notices.channels import Channels
from mergecast.signals.notices.delivery import NoticeSettings, make_post
from mergecast.signals.notices.outbox import Outbox
from mergecast.signals.notices.sender import Sender
from mergecast.signals.removals.removals import Removals

log = structlog.get_logger("mergecast.app")

# A simulation omits a forecast that takes longer.
SIMULATED_FORECAST_SECONDS = 10.0
SHUTDOWN_SECONDS = 8  # container engines kill a process that takes longer than 10
_BACKLOG = 1024

ASGIApplication = Callable[[Any, Any, Any], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Serving:
    """The configuration of one server."""

    folder: Path
    admin_token: str
    host: str
    port: int
    prefix: str = ""
    log_requests: bool = True
    watches: bool = True  # whether it looks for alerts by itself; requests about them look in any case
    public_url: str | None = None  # where clients reach it, if not at its own address
    now: Callable[[], int] = now_in_microseconds
    passed: Callable[[], int] = passed_in_microseconds
    platform: Platform | None = None
    judge: Callable[[], Pool] = document_pool
    forecaster: Callable[[], Pool] = forecast_pool
    simulated_forecast_seconds: float = SIMULATED_FORECAST_SECONDS
    policy: Policy = field(default_factory=Policy)
    database_url: str | None = field(default=None, repr=False)  # without it, the store is in the folder
    dashboard: Path = BUILT_DASHBOARD
    webhook_secrets: tuple[WebhookSecret, ...] = field(default=(), repr=False)
    deliveries_keep: int = KEEP
    checks_keep: int = CHECKS_KEEP
    events_keep: int | None = None  # None: for ever
    follows: tuple[Follow, ...] = ()
    sources: SourceSettings = field(default_factory=SourceSettings)  # without what is followed
    notices: NoticeSettings = field(default_factory=NoticeSettings)
    connections: ConnectionLimits | None = None  # by the policy, unless other limits are given
    shutdown_seconds: int = SHUTDOWN_SECONDS  # how long running requests may take when it stops


class _Server(uvicorn.Server):
    """Stops on SIGTERM and SIGINT without raising the signal again, so that the exit code is 0.

    With a second signal it gives up on running requests, and still closes everything.
    """

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, _: int, __: FrameType | None) -> None:
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self.force_exit:
            # uvicorn leaves the application running, and logs a traceback when the loop's end cancels it.
            for task in self.server_state.tasks:
                task.cancel()
            await self.lifespan.shutdown()


class RunningServer:
    """A bound socket, an open store, and the server that connects them."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        with ExitStack() as opened:
            self._socket = _bound_socket(serving.host, serving.port)
            opened.callback(self._socket.close)
            self.database = self._open_store(serving)
            opened.callback(self.database.close)
            self._server = _Server(self._config(serving, self.make_application(serving)))
            self._opened = opened.pop_all()  # from here on `close` is responsible

    def _open_store(self, serving: Serving) -> Store:
        """Open the store, which may have to be migrated first, and say so to clients meanwhile."""
        opening = Opening(serving.passed)
        answers = self._config(serving, NotReady(serving.prefix, opening.describe), lifespan="off")
        return open_answering(
            lambda: open_store(serving.folder, serving.database_url, serving.now, opening),
            opening,
            self._socket,
            answers,
        )

    def make_application(self, serving: Serving) -> ASGIApplication:
        """What answers requests."""
        url = serving.public_url or self.local_url
        return application(self.database, serving, url, lambda: self._server.should_exit)

    def _config(
        self, serving: Serving, application: ASGIApplication, lifespan: Literal["on", "off"] = "on"
    ) -> uvicorn.Config:
        return uvicorn.Config(
            application,
            http=protocol_for(Connections(serving.connections or _connection_limits(serving.policy))),
            ws="none",
            lifespan=lifespan,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=serving.shutdown_seconds,
            backlog=_BACKLOG,
            proxy_headers=False,
        )

    @property
    def url(self) -> str:
        host, port = self._socket.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    @property
    def local_url(self) -> str:
        """A URL that this machine can reach: a wildcard address includes the loopback."""
        return self.url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

    @property
    def has_dashboard(self) -> bool:
        """Whether this installation has the pages that a sign-in link leads to."""
        return (self._serving.dashboard / PAGE).is_file()

    def sign_in_link(self) -> str:
        """A link that signs one browser in as the operator; to be called before `run`."""
        serving = self._serving
        sessions = Sessions(self.database, serving.now)
        credential = credential_of(serving.admin_token.encode())
        code, _ = asyncio.run(sessions.make_code(credential, OPERATOR))
        return sign_in_link(serving.public_url or self.local_url, code)

    def run(self) -> None:
        """Serve until stopped; running requests finish first."""
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.close()

    def stop(self) -> None:
        self._server.should_exit = True

    def close(self) -> None:
        """Release the store and the socket; `run` does so at its end."""
        self._opened.close()


def follows_of(settings: Settings) -> tuple[Follow, ...]:
    return tuple(Follow(followed, settings.account(followed.source)) for followed in settings.follow)


def sources_of(settings: Settings) -> SourceSettings:
    """What a user may add: hosts that the operator has set somewhere need not be public."""
    urls = {source: settings.account(source).url for source in SOURCES}
    hosts = SourceHosts(settings.source_hosts).with_urls(list(urls.values()))
    return SourceSettings(hosts, {source: url for source, url in urls.items() if url})


def platform_of(settings: Settings) -> Platform | None:
    """The configured code-hosting platform; None if its URL is empty."""
    if not settings.github_url:
        return None
    github = GitHub(settings.github_url, now_in_microseconds)
    forge = LiveForge(github, now_in_microseconds)
    platform = Platform(forge, settings.github_token, settings.platform_calls, github.close)
    if settings.github_token is None and settings.github_app is not None:
        return _with_app(platform, settings.github_url, settings.github_app)
    return platform


def _with_app(platform: Platform, url: str, app: AppKey) -> Platform:
    """The platform with tokens of a GitHub App, for the repositories on which it is installed."""
    fetcher = Fetcher()
    tokens = InstallationTokens(url, app, fetcher, now_in_microseconds)

    async def make_token(repository: Repository) -> str | None:
        try:
            return await tokens.token(str(repository))
        except UnusableApp as error:
            log.warning("the GitHub App gives no token", error=str(error))
            return None

    async def close() -> None:
        await platform.close()
        await fetcher.close()

    return replace(platform, close=close, make_token=make_token)


def application(
    database: Store, serving: Serving, public_url: str, is_stopping: Callable[[], bool]
) -> Application:
    services = services_of(database, serving, public_url.rstrip("/"), is_stopping)
    return Application(services, all_routes(services, serving.folder), partial(_running, services, serving))


def services_of(
    database: Store, serving: Serving, public_url: str, is_stopping: Callable[[], bool]
) -> Services:
    now, holder = serving.now, _holder()
    context = GuardContext(lambda: _newest_first(database), now, serving.passed)
    guard = Guard(serving.admin_token, serving.policy, ApplicationKeys(database, now), context)
    queries = FairShare(QUERIES, QUERIES - 1, 100, "the readers")
    forecaster = _forecaster(database, serving, queries)
    keep = Keep(serving.deliveries_keep, serving.checks_keep, serving.events_keep)
    notices = _with_key_folder(serving)
    keys = Keys(notices.secret_keys, notices.key_folder)
    added = AddedSources(database, keys, now, replace(serving.sources, follows=serving.follows))
    return Services(
        database=database,
        guard=guard,
        metrics=Metrics(),
        access_log=AccessLog(write_lines if serving.log_requests else lambda _: None),
        answers=Answers(),
        queries=queries,
        children=FairShare(CHILDREN, CHILDREN, 100, "the children"),
        exports=FairShare(20, 2, 8, "the exports"),
        streams=_streams(serving.policy),
        buffers=Buffers(guard.admit_again),
        now=now,
        prefix=serving.prefix,
        public_url=public_url,
        judge=serving.judge(),
        forecaster=forecaster,
        expected_merges=ExpectedMerges(forecaster),
        recommendations=Recommendations(forecaster, holder),
        changes=Changes(forecaster),
        previews=ThresholdPreviews(forecaster),
        simulated_forecast_seconds=serving.simulated_forecast_seconds,
        platform=_with_added(serving, added),
        is_stopping=is_stopping,
        webhook_secrets=serving.webhook_secrets,
        keep=keep,
        intake=Intake(database, now, holder, keep),
        added_sources=added,
        dashboard=serving.dashboard,
        watch=AlertWatch(database, now, holder, partial(queries.turn, "alerts")),
        removals=Removals(database, now, holder, partial(queries.turn, "removals")),
        channels=Channels(database, make_post(notices), keys, now, public_url),
        github_apps=GitHubApps(database, keys, _app_context(serving, public_url)),
        audit=Audit(database, now),
        mcp=McpServer(),
    )


def _with_added(serving: Serving, added: AddedSources) -> Platform | None:
    """The platform with tokens of added sources too, for the repositories that they read."""
    platform, url = serving.platform, serving.policy.platform_url
    if platform is None or url is None:
        return platform
    tokens = AddedTokens(added, url, serving.now)

    async def make_token(repository: Repository) -> str | None:
        return await platform.make_token(repository) or await tokens.token(repository)

    async def close() -> None:
        await platform.close()
        await tokens.close()

    return replace(platform, close=close, make_token=make_token)


def _app_context(serving: Serving, public_url: str) -> AppContext:
    usual = SourceHosts().with_urls(list(serving.sources.urls.values())).exempt
    places = GitHubPlaces(serving.policy.platform_url, serving.sources.hosts.exempt - usual)
    return AppContext(serving.now, serving.passed, public_url, places, serving.policy.answer_seconds)


def _forecaster(database: Store, serving: Serving, queries: FairShare) -> Forecaster:
    what = "the forecasting processes"
    return Forecaster(
        database,
        serving.now,
        serving.forecaster(),
        queries,
        forecasts=FairShare(FORECASTS_AT_ONCE, 1, 8, what),
        recommendations=FairShare(1, 1, 8, what),
        time=FairShare(1, 1, 8, what),
    )


@asynccontextmanager
async def _running(services: Services, serving: Serving) -> AsyncIterator[None]:
    """Let everything that a server does by itself run, and close it at the end, whatever fails meanwhile."""
    store, now, channels, holder = services.database, services.now, services.channels, _holder()
    follower = Follower(store, services.intake, now, holder)
    outbox = Outbox(store, now, services.public_url, services.changes.of_alerts)
    sender = Sender(outbox, channels.post, channels.keys, holder, services.changes.first_reported)
    async with AsyncExitStack() as opened:
        opened.push_async_callback(services.guard.close)
        opened.push_async_callback(services.github_apps.close)
        opened.callback(services.access_log.flush)
        if services.platform is not None:
            opened.push_async_callback(services.platform.close)
        opened.push_async_callback(services.forecaster.judge.close)
        opened.push_async_callback(services.judge.close)
        forecasts = (services.expected_merges, services.recommendations)
        signals = (sender, services.watch, services.removals)
        for work in (*forecasts, services.intake, follower, *signals, services.mcp):
            opened.push_async_callback(work.close)
        services.metrics.read_background(
            {
                "intake": services.intake,
                "housekeeping": services.intake.housekeeping,
                "following": follower,
                "alerts": services.watch,
                "removals": services.removals,
                "notices": sender,
            }
        )
        services.judge.start()
        services.intake.start()
        follower.start(serving.follows, added=services.added_sources)
        if serving.watches:
            services.watch.start()
        services.removals.start()
        sender.start()
        yield


def _holder() -> str:
    """The name of this server in the leases of a store."""
    return f"{gethostname()}-{getpid()}"


def _streams(policy: Policy) -> Streams:
    """Most connections are for everything that ends soon: half of all, and three quarters of an address's."""
    most = policy.connections // 2
    return Streams(most, min(policy.connections_per_address, most) // 4)


def _with_key_folder(serving: Serving) -> NoticeSettings:
    """Servers that share a database have no folder in common, so there the keys must be set."""
    folder = serving.folder if serving.database_url is None else None
    return replace(serving.notices, key_folder=folder)


async def _newest_first(database: Store) -> list[Repository]:
    stored = sorted(await database.repositories(), key=lambda known: known.last_at or 0, reverse=True)
    return [known.repository for known in stored]


def _connection_limits(policy: Policy) -> ConnectionLimits:
    return ConnectionLimits(
        most=policy.connections,
        most_per_address=policy.connections_per_address,
        trusted_proxies=policy.trusted_proxies,
    )


def _bound_socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        # From here on clients wait, instead of being refused, until `meanwhile.py` or the server answers.
        bound.listen(_BACKLOG)
    except BaseException:
        bound.close()
        raise
    return bound
