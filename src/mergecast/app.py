"""Wiring: creates a running server from settings and a data folder."""

import asyncio
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import structlog
import uvicorn

from mergecast.access.application_keys import ApplicationKeys
from mergecast.access.credential import credential_of
from mergecast.access.guard import Guard, GuardContext
from mergecast.access.policy import Policy
from mergecast.access.rights import OPERATOR
from mergecast.access.sessions import Sessions
from mergecast.access.webhook_secrets import WebhookSecret
from mergecast.api.access_log import AccessLog
from mergecast.api.application import Application
from mergecast.api.dashboard_files import PAGE
from mergecast.api.fair_shares import Streams
from mergecast.api.not_ready import NotReady
from mergecast.api.platform_access import Platform
from mergecast.api.routes import all_routes
from mergecast.api.server.connection import protocol_for
from mergecast.api.server.connections import ConnectionLimits, Connections
from mergecast.api.server.meanwhile import open_answering
from mergecast.api.services import (
    BUILT_DASHBOARD,
    SIMULATED_FORECAST_SECONDS,
    Services,
    forecasting_process,
)
from mergecast.api.session import sign_in_link
from mergecast.incoming.forge.live import LiveForge
from mergecast.incoming.intake.follower import Follow
from mergecast.incoming.intake.intake import CHECKS_KEEP, KEEP
from mergecast.incoming.platform.app_tokens import AppKey, InstallationTokens, UnusableApp
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.incoming.platform.github import GitHub
from mergecast.process.clock import now_in_microseconds, passed_in_microseconds
from mergecast.process.logs import write_lines
from mergecast.process.metrics import Metrics
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.progress import Opening
from mergecast.queues.store.store import Store
from mergecast.sandbox.pool import Judge
from mergecast.settings import Settings
from mergecast.signals.notices.setup import NoticeSettings

log = structlog.get_logger("mergecast.app")

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
    public_url: str | None = None  # where clients reach it, if not at its own address
    now: Callable[[], int] = now_in_microseconds
    passed: Callable[[], int] = passed_in_microseconds
    platform: Platform | None = None
    judge: Callable[[], Judge] = Judge
    forecaster: Callable[[], Judge] = forecasting_process
    simulated_forecast_seconds: float = SIMULATED_FORECAST_SECONDS
    policy: Policy = field(default_factory=Policy)
    database_url: str | None = field(default=None, repr=False)  # without it, the store is in the folder
    dashboard: Path = BUILT_DASHBOARD
    webhook_secrets: tuple[WebhookSecret, ...] = field(default=(), repr=False)
    deliveries_keep: int = KEEP
    checks_keep: int = CHECKS_KEEP
    events_keep: int | None = None  # None: for ever
    follows: tuple[Follow, ...] = ()
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
    metrics = Metrics()
    access_log = AccessLog(write_lines if serving.log_requests else lambda _: None)
    context = GuardContext(lambda: _newest_first(database), serving.now, serving.passed)
    guard = Guard(serving.admin_token, serving.policy, ApplicationKeys(database, serving.now), context)
    services = Services(
        database,
        guard,
        metrics,
        access_log,
        prefix=serving.prefix,
        public_url=public_url.rstrip("/"),
        now=serving.now,
        platform=serving.platform,
        judge=serving.judge(),
        forecaster=serving.forecaster(),
        simulated_forecast_seconds=serving.simulated_forecast_seconds,
        follows=serving.follows,
        dashboard=serving.dashboard,
        streams=_streams(serving.policy),
        is_stopping=is_stopping,
        webhook_secrets=serving.webhook_secrets,
        deliveries_keep=serving.deliveries_keep,
        checks_keep=serving.checks_keep,
        events_keep=serving.events_keep,
        notices=_with_key_folder(serving),
    )
    return Application(services, all_routes(services, serving.folder))


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
