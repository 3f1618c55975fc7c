"""GitHub Apps that were registered by a manifest: their secrets, installations and repositories."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_hex
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
import structlog

from mergecast.errors import Conflict, FieldError, InvalidInput, NotFound
from mergecast.incoming.connecting.app_accounts import app_key, open_secrets
from mergecast.incoming.connecting.reachable import is_reachable
from mergecast.incoming.platform import github_urls
from mergecast.incoming.platform.app_installations import Installation, installations, repositories_of
from mergecast.incoming.platform.app_manifest import (
    Addresses,
    AppSecrets,
    RefusedCode,
    app_manifest,
    app_name,
    exchange_code,
)
from mergecast.incoming.platform.app_tokens import AppApi, UnusableApp
from mergecast.incoming.platform.fetch import Fetcher
from mergecast.process.sealing import CannotDecrypt, Keys
from mergecast.queues.model.instant import SECOND
from mergecast.queues.store.added_sources import (
    GitHubAppRow,
    add_github_app,
    delete_github_app,
    read_github_apps,
    set_installed_owners,
)
from mergecast.queues.store.store import Store

MOST_REPOSITORIES = 1000
_REFRESHED_EVERY = 10 * SECOND
_MARK_BYTES = 2
_HTTPS = 443
_API_PATH = "/api/v3"

log = structlog.get_logger("mergecast.connecting")


@dataclass(frozen=True, slots=True)
class GitHubPlaces:
    """The GitHub servers that Apps may be registered on."""

    url: str | None  # of the API that the operator has set
    hosts: frozenset[str] = frozenset()  # that the operator allows, with ports: those of Enterprise Servers

    @property
    def default(self) -> str:
        return self.url or github_urls.API

    def allows(self, url: str) -> bool:
        if url in (self.default, github_urls.API):
            return True
        try:
            parts = urlsplit(url)
        except ValueError:  # such as half of the brackets around an IPv6 address
            return False
        origin = f"{parts.scheme}://{parts.netloc}"
        is_api = parts.path == _API_PATH or (url == origin and github_urls.is_tenant(url))
        return is_api and origin in self._of_hosts()

    def origins(self) -> list[str]:
        """Where a page of this server may send the form that registers an App."""
        urls = (github_urls.API, self.default, *self._of_hosts())
        known = (urlsplit(github_urls.web_url(url)) for url in urls)
        return sorted({f"{one.scheme}://{one.netloc}" for one in known})

    def _of_hosts(self) -> set[str]:
        return {f"https://{host.removesuffix(f':{_HTTPS}')}" for host in self.hosts}


class Registration(NamedTuple):
    """What a browser sends to GitHub, and where."""

    action: str
    manifest: dict[str, object]


class WantedApp(NamedTuple):
    owner: str | None  # None: whoever confirms the manifest
    is_organization: bool
    url: str
    has_webhook: bool


class AppSecret(NamedTuple):
    """The secret that signs an App's webhooks, and the owners of its installations, in lower case."""

    app_id: str
    secret: bytes
    owners: frozenset[str]

    def __repr__(self) -> str:
        return f"AppSecret(app_id={self.app_id!r})"


class Readable(NamedTuple):
    """What an App can read."""

    owners: list[str]
    repositories: list[str]


@dataclass(frozen=True, slots=True)
class AppContext:
    """What Apps need from the rest of the program."""

    now: Callable[[], int]
    passed: Callable[[], int]
    public_url: str
    places: GitHubPlaces
    seconds: float = field(default=5.0)  # how long GitHub may take to answer


def install_url(row: GitHubAppRow) -> str:
    """The page of GitHub that installs an App."""
    return github_urls.install_url(row.url, row.slug)


@contextmanager
def _as_conflict() -> Iterator[None]:
    """An App that does not work is no error of the request that names it."""
    try:
        yield
    except UnusableApp as error:
        raise Conflict([FieldError("path", "id", str(error))]) from None


class GitHubApps:
    def __init__(self, store: Store, keys: Keys, context: AppContext) -> None:
        self._store, self.keys, self._context = store, keys, context
        self.places = context.places
        self._fetcher = Fetcher(context.seconds)
        self._secrets: tuple[AppSecret, ...] | None = None
        self._read_at = 0

    def register(self, wanted: WantedApp, state: str) -> Registration:
        """What to send to GitHub; every reason why it cannot work is raised before anyone goes there."""
        self._check(wanted)
        home = self._context.public_url
        webhook = f"{home}/v1/hooks/github" if is_reachable(home) else None
        addresses = Addresses(home, f"{home}/github-apps/created", f"{home}/github-apps/installed", webhook)
        name = app_name(wanted.owner or "", token_hex(_MARK_BYTES))
        organization = wanted.owner if wanted.is_organization else None
        return Registration(
            github_urls.new_app_url(wanted.url, organization, state),
            app_manifest(name, addresses, has_webhook=wanted.has_webhook),
        )

    def _check(self, wanted: WantedApp) -> None:
        errors = []
        if wanted.is_organization and wanted.owner is None:
            errors.append(FieldError("body", "/owner", "is missing: the name of the organization"))
        if not self.places.allows(wanted.url):
            message = (
                "must be https://api.github.com, or https://HOST/api/v3 or https://api.NAME.ghe.com with "
            )
            message += "a host that the operator allows in MERGECAST_SOURCE_HOSTS"
            errors.append(FieldError("body", "/url", message))
        if wanted.has_webhook and not is_reachable(self._context.public_url):
            message = f"GitHub cannot reach {self._context.public_url}: set MERGECAST_PUBLIC_URL to an https "
            message += "address that it can reach, or send false to read the history every minute instead"
            errors.append(FieldError("body", "/has_webhook", message))
        if errors:
            raise InvalidInput(errors)
        if not self.keys.can_encrypt:
            raise Conflict([FieldError("body", "", self.keys.missing)])

    async def create_from_code(self, url: str, code: str, *, has_webhook: bool) -> GitHubAppRow:
        """Exchange a code for an App, and store it; `InvalidInput` if GitHub does not accept the code."""
        try:
            app = await exchange_code(self._fetcher, url, code)
        except RefusedCode as error:
            raise InvalidInput([FieldError("query", "code", str(error))]) from None
        row = GitHubAppRow(app.id, app.slug, app.owner, url, "", has_webhook, "[]", self._context.now())
        sealed = self.keys.make_seal().close(msgspec.json.encode(app.secrets), row.about)
        row = row._replace(sealed=sealed)
        if not await add_github_app(self._store, row):
            raise Conflict([FieldError("body", "", f"the GitHub App {row.id} is stored already")])
        self._secrets = None
        return row

    async def listed(self) -> list[GitHubAppRow]:
        return await read_github_apps(self._store)

    async def find(self, app_id: str) -> GitHubAppRow:
        for row in await self.listed():
            if row.id == app_id:
                return row
        raise NotFound(f"there is no GitHub App {app_id[:100]}")

    async def delete(self, app_id: str) -> GitHubAppRow:
        """Delete an App with its secrets; on GitHub, it stays."""
        row = await self.find(app_id)
        if not await delete_github_app(self._store, app_id):
            message = "sources are read with this GitHub App; remove them first"
            raise Conflict([FieldError("path", "id", message)])
        self._secrets = None
        return row

    async def refresh(self, app_id: str) -> None:
        """Read the installations of an App from GitHub, and store their owners."""
        row = await self.find(app_id)
        with _as_conflict():
            await self._refresh(row, self._api(row))

    async def _refresh(self, row: GitHubAppRow, api: AppApi) -> list[Installation]:
        found = await installations(api)
        owners = sorted({one.owner.lower() for one in found})
        if owners != row.installed_owners:
            await set_installed_owners(self._store, row.id, owners)
            self._secrets = None
        return found

    async def repositories(self, app_id: str) -> Readable:
        """The repositories that an App can read now, and the owners of its installations."""
        row = await self.find(app_id)
        with _as_conflict():
            api = self._api(row)
            found = await self._refresh(row, api)
            names = [name for one in found for name in await repositories_of(api, one)]
        owners = sorted({one.owner.lower() for one in found})
        return Readable(owners, sorted(names, key=str.lower)[:MOST_REPOSITORIES])

    async def webhook_secrets(self) -> Sequence[AppSecret]:
        """The secrets of all Apps. Another server may have added one some seconds ago."""
        passed = self._context.passed()
        if self._secrets is None or passed - self._read_at >= _REFRESHED_EVERY:
            self._read_at = passed
            rows = [row for row in await self.listed() if row.has_webhook]
            self._secrets = tuple(found for row in rows if (found := self._secret(row)) is not None)
        return self._secrets

    def _secret(self, row: GitHubAppRow) -> AppSecret | None:
        try:
            secret = self._opened(row).webhook_secret
        except UnusableApp as error:
            log.warning("the webhooks of a GitHub App are refused", app=row.id, error=str(error))
            return None
        if not secret:  # anyone could sign with it
            return None
        return AppSecret(row.id, secret.encode(), frozenset(row.installed_owners))

    def _api(self, row: GitHubAppRow) -> AppApi:
        if not self.places.allows(row.url):
            message = f"the server of this GitHub App, {row.url}, is not in MERGECAST_SOURCE_HOSTS any more"
            raise UnusableApp(message)
        key = app_key(row, self._opened(row))
        return AppApi(row.url, key, self._fetcher, self._context.now)

    def _opened(self, row: GitHubAppRow) -> AppSecrets:
        try:
            if (seal := self.keys.seal()) is not None:
                return open_secrets(row, seal)
        except CannotDecrypt:
            pass
        raise UnusableApp(
            f"no key decrypts the secrets of the GitHub App {row.slug}; restore the key, or remove "
            "the App and create another one"
        )

    async def close(self) -> None:
        await self._fetcher.close()
