"""Settings from environment variables and options, read once."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from mergecast.access.address import Network, parse_networks
from mergecast.access.claim_rights import ClaimRights, parse_rights
from mergecast.access.guard import SHORTEST_TOKEN
from mergecast.access.key_sets import NoKeys, read_key_set
from mergecast.access.oidc_settings import DEFAULT_SCOPES, OidcSettings, check_scopes, check_shown
from mergecast.access.policy import GITHUB, Issuer, Policy, check_address, parse_issuers
from mergecast.access.service_tokens import read_key_file
from mergecast.access.web_sign_in import AppIdentity
from mergecast.access.webhook_secrets import WebhookSecret, parse_secrets
from mergecast.incoming.intake.importing.following import Followed, parse_followed
from mergecast.incoming.platform.app_tokens import AppKey
from mergecast.incoming.platform.fetch import NoAnswer
from mergecast.incoming.platform.github import is_token
from mergecast.incoming.sources.origin import Account
from mergecast.incoming.sources.registry import SOURCES
from mergecast.process.addresses import parse_hosts
from mergecast.process.sealing import parse_keys
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository, is_name, is_owner
from mergecast.signals.notices.delivery import NoticeSettings
from mergecast.signals.notices.mailing import MailServer, parse_domains, read_smtp_url

_LIMITS = Policy()
_DAYS = re.compile(r"([0-9]{1,5})d")

_S = TypeVar("_S", bound=BaseSettings)


def _trustworthy(url: str) -> str:
    return check_address(url.rstrip("/")) if url else ""


def _sendable(token: str | None) -> str | None:
    if token and not is_token(token):
        raise ValueError("a token of the code-hosting platform has only visible ASCII characters")
    return token or None


def _issuer_address(url: str | None) -> str | None:
    """An issuer is compared with what tokens say, so it keeps its last slash."""
    return check_address(url) if url else None


def _public_address(url: str | None) -> str | None:
    """Where users reach the service; sign-in links and cookies depend on it."""
    if not url:
        return None
    parts = urlsplit(url)
    is_address = parts.scheme in ("http", "https") and parts.hostname and not re.search(r"[@?#\\\s]", url)
    if not is_address or (parts.port is None and parts.netloc.endswith(":")):
        raise ValueError(
            "must look like https://mergecast.example.com/path, without user, query and fragment"
        )
    return url


def _read_by(parse: Callable[[str], object]) -> BeforeValidator:
    """The text of a setting is read by this function; a value that is not text is one already."""
    return BeforeValidator(lambda value: parse(value) if isinstance(value, str) else value)


def _read_issuers(text: str) -> tuple[Issuer, ...]:
    """Read key files now, so that an invalid file stops the server from starting."""
    issuers = parse_issuers(text)
    for issuer in issuers:
        if issuer.file is not None:
            try:
                read_key_set(read_key_file(issuer.file))
            except NoAnswer as error:
                raise ValueError(f"the keys of {issuer.issuer} cannot be read: {error}") from None
            except NoKeys as error:
                raise ValueError(
                    f"the keys of {issuer.issuer} cannot be read: {issuer.file} {error}"
                ) from None
    return issuers


def _named(text: str) -> frozenset[Repository]:
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        owner, _, name = part.partition("/")
        if not is_owner(owner) or not is_name(name):
            raise ValueError(f"`{part}` is not the name of a repository; write acme/widgets, acme/gadgets")
        found.append(Repository(owner, name))
    return frozenset(found)


def _read_mail_server(text: str) -> MailServer | None:
    return read_smtp_url(text) if text else None


_Address = Annotated[str, AfterValidator(_trustworthy)]
_Token = Annotated[str | None, AfterValidator(_sendable)]


def _with_sources(settings: type[_S]) -> type[_S]:
    """Add the address and the token of every source that has none among the settings."""
    fields: dict[str, Any] = {}
    for source in SOURCES.values():
        fields |= {source.url_setting: (_Address, source.url), source.token_setting: (_Token, None)}
    new = {name: field for name, field in fields.items() if name not in settings.model_fields}
    return create_model(settings.__name__, __base__=settings, **new)


@_with_sources
class _ServerSettings(BaseSettings):
    """All settings but those that depend on the sources."""

    model_config = SettingsConfigDict(env_prefix="MERGECAST_", frozen=True, hide_input_in_errors=True)

    data_dir: Path = Path("data")
    database_url: str | None = None
    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    admin_token: str | None = None
    public_url: Annotated[str | None, AfterValidator(_public_address)] = None
    github_url: _Address = GITHUB
    github_token: _Token = None
    github_client_id: str | None = None
    github_client_secret: str | None = Field(default=None, repr=False)
    oidc_issuer: Annotated[str | None, AfterValidator(_issuer_address)] = None
    oidc_client_id: str | None = None
    oidc_client_secret: str | None = Field(default=None, repr=False)
    oidc_scopes: Annotated[str, AfterValidator(check_scopes)] = DEFAULT_SCOPES
    oidc_rights: Annotated[ClaimRights | None, NoDecode, _read_by(parse_rights)] = None
    oidc_name: Annotated[str, AfterValidator(check_shown)] = ""
    oidc_contact: Annotated[str, AfterValidator(check_shown)] = ""
    platform_calls: Annotated[int, Field(ge=10, le=10**6)] = 300
    webhook_secrets: Annotated[tuple[WebhookSecret, ...], NoDecode, _read_by(parse_secrets)] = ()
    deliveries_keep: Annotated[int, NoDecode] = 90 * DAY  # in microseconds
    checks_keep: Annotated[int, NoDecode] = 400 * DAY
    events_keep: Annotated[int | None, NoDecode] = None  # for ever
    service_issuers: Annotated[tuple[Issuer, ...], NoDecode, _read_by(_read_issuers)] = ()
    public_badges: Annotated[frozenset[Repository], NoDecode, _read_by(_named)] = frozenset()
    trusted_proxies: Annotated[tuple[Network, ...], NoDecode, _read_by(parse_networks)] = ()
    requests_per_second: Annotated[float, Field(ge=0, le=1e6)] = _LIMITS.requests_per_second
    requests_burst: Annotated[int, Field(ge=1, le=10**9)] = _LIMITS.requests_burst
    failed_credentials_per_minute: Annotated[int, Field(ge=0, le=10**9)] = (
        _LIMITS.failed_credentials_per_minute
    )
    simulations_at_once: Annotated[int, Field(ge=1, le=10**6)] = _LIMITS.simulations_at_once
    connections: Annotated[int, Field(ge=1, le=10**6)] = _LIMITS.connections
    connections_per_address: Annotated[int, Field(ge=1, le=10**6)] = _LIMITS.connections_per_address
    secret_key: Annotated[tuple[str, ...], NoDecode, _read_by(parse_keys)] = Field(default=(), repr=False)
    notice_hosts: Annotated[frozenset[str], NoDecode, _read_by(parse_hosts)] = frozenset()
    source_hosts: Annotated[frozenset[str], NoDecode, _read_by(parse_hosts)] = frozenset()
    smtp_url: Annotated[MailServer | None, NoDecode, _read_by(_read_mail_server)] = None
    mail_domains: Annotated[frozenset[str], NoDecode, _read_by(parse_domains)] = frozenset()
    github_app_id: str | None = None
    github_app_key_file: Path | None = None

    @field_validator("admin_token")
    @classmethod
    def _long_enough(cls, token: str | None) -> str | None:
        if token is not None and (len(token) < SHORTEST_TOKEN or not is_token(token)):
            raise ValueError(f"must have at least {SHORTEST_TOKEN} visible ASCII characters and no spaces")
        return token

    @field_validator("database_url")
    @classmethod
    def _database(cls, url: str | None) -> str | None:
        if url and not url.startswith(("postgresql://", "postgres://")):
            raise ValueError("must look like postgresql://user:password@host:5432/name")
        return url or None

    @field_validator("deliveries_keep", "checks_keep", "events_keep", mode="before")
    @classmethod
    def _days(cls, text: object, info: ValidationInfo) -> object:
        if not isinstance(text, str):
            return text
        if text == "0" and info.field_name == "checks_keep":
            return 0
        found = _DAYS.fullmatch(text)
        if found is None and info.field_name == "checks_keep":
            raise ValueError("must be a number of days such as 400d, or 0 to store no reports")
        if found is None:
            raise ValueError("must be a number of days such as 90d")
        if info.field_name == "events_keep" and int(found[1]) == 0:
            raise ValueError("must be at least one day, such as 400d; without it, events are kept for ever")
        return int(found[1]) * DAY

    @property
    def notices(self) -> NoticeSettings:
        return NoticeSettings(
            secret_keys=self.secret_key,
            hosts=self.notice_hosts,
            mail_server=self.smtp_url,
            mail_domains=self.mail_domains,
        )

    @model_validator(mode="after")
    def _check_sign_in_app(self) -> Self:
        if bool(self.github_client_id) != bool(self.github_client_secret):
            raise ValueError(
                "MERGECAST_GITHUB_CLIENT_ID and MERGECAST_GITHUB_CLIENT_SECRET must be set together"
            )
        if self.github_client_id and not self.public_url:
            raise ValueError(
                "signing in with GitHub needs MERGECAST_PUBLIC_URL, the address that GitHub redirects to"
            )
        return self

    @model_validator(mode="after")
    def _check_oidc(self) -> Self:
        needed = {
            "MERGECAST_OIDC_ISSUER": self.oidc_issuer,
            "MERGECAST_OIDC_CLIENT_ID": self.oidc_client_id,
            "MERGECAST_OIDC_CLIENT_SECRET": self.oidc_client_secret,
            "MERGECAST_OIDC_RIGHTS": self.oidc_rights,
        }
        missing = [name for name, value in needed.items() if not value]
        if missing and len(missing) < len(needed):
            raise ValueError(f"signing in with OpenID Connect also needs {', '.join(missing)}")
        if not missing and not self.public_url:
            raise ValueError("signing in with OpenID Connect needs MERGECAST_PUBLIC_URL, to redirect back to")
        return self

    @property
    def oidc(self) -> OidcSettings | None:
        app = _app(self.oidc_client_id, self.oidc_client_secret)
        if self.oidc_issuer is None or app is None or self.oidc_rights is None:
            return None
        return OidcSettings(
            self.oidc_issuer, app, self.oidc_rights, self.oidc_scopes, self.oidc_name, self.oidc_contact
        )

    @property
    def github_app(self) -> AppKey | None:
        """The key is read now, so that an unreadable file stops the server from starting."""
        if self.github_app_id is None or self.github_app_key_file is None:
            return None
        try:
            return AppKey(self.github_app_id, self.github_app_key_file.read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"MERGECAST_GITHUB_APP_KEY_FILE: cannot be read: {error.strerror}") from None

    @property
    def prefix(self) -> str:
        """The path that a proxy adds before this service's paths."""
        return urlsplit(self.public_url or "").path.rstrip("/")

    @property
    def policy(self) -> Policy:
        return Policy(
            issuers=self.service_issuers,
            platform_url=self.github_url or None,
            public_badges=self.public_badges,
            github_app=_app(self.github_client_id, self.github_client_secret),
            oidc=self.oidc,
            trusted_proxies=self.trusted_proxies,
            requests_per_second=self.requests_per_second,
            requests_burst=self.requests_burst,
            failed_credentials_per_minute=self.failed_credentials_per_minute,
            simulations_at_once=self.simulations_at_once,
            connections=self.connections,
            connections_per_address=self.connections_per_address,
        )


class Settings(_ServerSettings):
    """The operator's settings; every field can be set as MERGECAST_<NAME>."""

    follow: Annotated[tuple[Followed, ...], NoDecode] = ()

    @field_validator("follow", mode="before")
    @classmethod
    def _followed(cls, text: object) -> object:
        return parse_followed(text) if isinstance(text, str) else text

    @model_validator(mode="after")
    def _check_sources(self) -> Self:
        if (self.github_app_id is None) != (self.github_app_key_file is None):
            raise ValueError("MERGECAST_GITHUB_APP_ID and MERGECAST_GITHUB_APP_KEY_FILE must be set together")
        for followed in self.follow:
            if not self.account(followed.source).has_credentials:
                setting = f"MERGECAST_{SOURCES[followed.source].token_setting.upper()}"
                raise ValueError(f"MERGECAST_FOLLOW: {followed.source} needs a token: set {setting}")
        return self

    def account(self, source: str) -> Account:
        """The address and credentials for following a source."""
        known = SOURCES[source]
        app = self.github_app if known.app_settings is not None else None
        return Account(source, getattr(self, known.url_setting), getattr(self, known.token_setting), app)


def _app(client_id: str | None, client_secret: str | None) -> AppIdentity | None:
    return AppIdentity(client_id, client_secret) if client_id and client_secret else None
