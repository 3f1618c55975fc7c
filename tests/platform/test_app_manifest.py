"""The manifest of a GitHub App, the exchange of its code, and what the App can read, against an imitation."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

import pytest

from github_apps import GitHubApps, app_pem, github_apps, wrong_in_manifest
from local_http import Reply, refusing_url
from mergecast.incoming.platform.app_installations import installations, repositories_of
from mergecast.incoming.platform.app_manifest import (
    EVENTS,
    PERMISSIONS,
    Addresses,
    RefusedCode,
    app_manifest,
    app_name,
    exchange_code,
)
from mergecast.incoming.platform.app_tokens import AppApi, AppKey, UnusableApp
from mergecast.incoming.platform.fetch import Fetcher, PlatformDown
from mergecast.incoming.platform.github_urls import install_url, new_app_url
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import HOUR
from waiting import MOST_SECONDS

pytestmark = pytest.mark.server

_HOME = "https://mergecast.example"
_ADDRESSES = Addresses(
    _HOME, f"{_HOME}/github-apps/created", f"{_HOME}/github-apps/installed", f"{_HOME}/v1/hooks/github"
)
_MANIFEST = app_manifest(app_name("acme", "3f9a"), _ADDRESSES, has_webhook=True)

T = TypeVar("T")


def _run(work: Callable[[Fetcher], Awaitable[T]]) -> T:
    async def main() -> T:
        fetcher = Fetcher(MOST_SECONDS)
        try:
            return await work(fetcher)
        finally:
            await fetcher.close()

    return asyncio.run(main())


def _code(apps: GitHubApps) -> str:
    location = apps.create("acme", _MANIFEST, "s").headers["Location"]
    return parse_qs(urlsplit(location).query)["code"][0]


def test_the_manifest_has_what_github_documents() -> None:
    """A private App that may only read, with a webhook, and two addresses to return to."""
    assert {
        "name": "Mergecast acme 3f9a",
        "url": "https://mergecast.example",
        "redirect_url": "https://mergecast.example/github-apps/created",
        "setup_url": "https://mergecast.example/github-apps/installed",
        "public": False,
        "hook_attributes": {"url": "https://mergecast.example/v1/hooks/github", "active": True},
        "default_permissions": PERMISSIONS,
        "default_events": list(EVENTS),
    } == _MANIFEST
    assert {"read"} == set(PERMISSIONS.values())


def test_permissions_and_events_are_those_of_the_documentation() -> None:
    """The page for people who create the App or the webhook by hand lists the same."""
    page = (Path(__file__).parents[2] / "docs/sources/github.md").read_text(encoding="utf-8")
    token = page[page.index("all *Read-only*") : page.index("automatically")]
    (events,) = re.findall(r"individual events\*: ([^|]+) \|", page)

    def names(listed: list[str]) -> set[str]:
        return {name.lower().replace(" ", "_") for name in listed}

    permissions = names(re.findall(r"\*\*([^*]+)\*\*", token)) | names(re.findall(r"\*(Metadata)\*", token))
    assert {"commit_statuses" if name == "statuses" else name for name in PERMISSIONS} == permissions
    plurals = {"status": "statuses", "push": "pushes", "repository": "repositories"}
    assert {plurals.get(event, f"{event}s") for event in EVENTS} == names(events.split(", "))


@pytest.mark.parametrize("webhook", [_ADDRESSES.webhook, None])
@pytest.mark.parametrize("has_webhook", [True, False])
@pytest.mark.parametrize("owner", ["acme", "o" * 39])
def test_github_accepts_every_manifest(webhook: str | None, *, has_webhook: bool, owner: str) -> None:
    """A server that GitHub cannot reach gets an App without webhook and events."""
    addresses = Addresses(
        "http://127.0.0.1:8000", "http://127.0.0.1:8000/a", "http://127.0.0.1:8000/b", webhook
    )

    manifest = app_manifest(app_name(owner, "3f9a"), addresses, has_webhook=has_webhook)

    assert [] == wrong_in_manifest(manifest)
    assert (webhook is not None) == ("hook_attributes" in manifest) == ("default_events" in manifest)


@pytest.mark.parametrize(
    ("url", "organization", "action", "install"),
    [
        (
            "https://api.github.com",
            "acme",
            "https://github.com/organizations/acme/settings/apps/new?state=a%3Ab",
            "https://github.com/apps/mergecast-acme/installations/new",
        ),
        (
            "https://api.github.com",
            None,
            "https://github.com/settings/apps/new?state=a%3Ab",
            "https://github.com/apps/mergecast-acme/installations/new",
        ),
        (
            "https://ghe.acme.example/api/v3",
            "acme",
            "https://ghe.acme.example/organizations/acme/settings/apps/new?state=a%3Ab",
            "https://ghe.acme.example/github-apps/mergecast-acme/installations/new",
        ),
        (
            "https://api.acme.ghe.com",
            "acme",
            "https://acme.ghe.com/organizations/acme/settings/apps/new?state=a%3Ab",
            "https://acme.ghe.com/apps/mergecast-acme/installations/new",
        ),
    ],
    ids=["organization", "personal", "Enterprise Server", "ghe.com"],
)
def test_the_pages_of_github(url: str, organization: str | None, action: str, install: str) -> None:
    """They differ between an organization, a person and an Enterprise Server."""
    assert (action, install) == (new_app_url(url, organization, "a:b"), install_url(url, "mergecast-acme"))


def test_a_code_becomes_an_app_once() -> None:
    """The answer has everything that the App needs; no secret of it is shown."""
    with github_apps() as (apps, server):
        code = _code(apps)
        app = _run(lambda fetcher: exchange_code(fetcher, server.url, code))
        with pytest.raises(RefusedCode, match="it was used already, or is older than an hour"):
            _run(lambda fetcher: exchange_code(fetcher, server.url, code))

    (made,) = apps.apps
    assert ("1000", "mergecast-acme-3f9a", "acme") == (app.id, app.slug, app.owner)
    assert (app_pem(), made.webhook_secret) == (app.secrets.pem, app.secrets.webhook_secret)
    assert (
        "RegisteredApp(id='1000', slug='mergecast-acme-3f9a', owner='acme', secrets=AppSecrets(…))"
        == repr(app)
    )


def test_a_code_is_valid_for_an_hour() -> None:
    """GitHub does not say whether a code was used, expired or invented."""
    now = now_in_microseconds()
    with github_apps(now=lambda: now) as (apps, server):
        code = _code(apps)
        now += HOUR + 1
        with pytest.raises(RefusedCode):
            _run(lambda fetcher: exchange_code(fetcher, server.url, code))


@pytest.mark.parametrize("code", ["", "../../user", "a?b", "a/b", "%2e%2e", "x" * 201, "ü"])
def test_what_is_no_code_is_not_sent(code: str) -> None:
    """A code is part of a path."""
    with github_apps() as (_, server):
        with pytest.raises(RefusedCode, match="this is not a code of GitHub"):
            _run(lambda fetcher: exchange_code(fetcher, server.url, code))
        assert [] == server.asked


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (Reply(500), "when asked to exchange the code, GitHub answered 500"),
        (Reply(403, b"rate limit"), "when asked to exchange the code, GitHub answered 403"),
        (Reply(201, b"<html>"), "the answer of the code-hosting platform does not look like GitHub's"),
        (
            Reply(201, b'{"id": 1, "slug": "../x", "owner": {"login": "acme"}, "pem": "k"}'),
            "GitHub registered an App with an unreadable name",
        ),
    ],
    ids=["error", "limit", "page", "slug"],
)
def test_a_platform_in_trouble(trouble: Reply, message: str) -> None:
    """The message says what GitHub did."""
    with github_apps(trouble=trouble) as (_, server), pytest.raises(PlatformDown, match=f"^{message}$"):
        _run(lambda fetcher: exchange_code(fetcher, server.url, "abc"))


def test_a_host_that_is_down() -> None:
    """Nothing listens there."""
    with refusing_url() as url, pytest.raises(PlatformDown, match=r"^GitHub does not exchange the code: "):
        _run(lambda fetcher: exchange_code(fetcher, url, "abc"))


def _read(apps: GitHubApps, url: str, key: AppKey) -> tuple[list[str], list[str]]:
    async def read(fetcher: Fetcher) -> tuple[list[str], list[str]]:
        api = AppApi(url, key, fetcher, apps.now)
        found = await installations(api)
        names = [name for one in found for name in await repositories_of(api, one)]
        return [one.owner for one in found], names

    return _run(read)


@pytest.mark.parametrize("prefix", ["", "/api/v3"])
def test_what_an_app_can_read(prefix: str) -> None:
    """All pages of the repositories of its installations, without those that were suspended."""
    names = [f"acme/r{number:03}" for number in range(205)]
    with github_apps(prefix=prefix, repositories={"acme": names}) as (apps, server):
        _code(apps)
        apps.installed(apps.apps[0])
        apps.installed(apps.apps[0]).suspended_at = "2026-01-01T00:00:00Z"

        assert (["acme"], names) == _read(apps, server.url + prefix, AppKey("1000", app_pem()))


def test_an_app_that_was_deleted_on_github() -> None:
    """The message says what to do, which depends on where the App comes from."""
    key = AppKey("77", app_pem(), advice="create another one")
    with (
        github_apps() as (apps, server),
        pytest.raises(
            UnusableApp, match=r"^GitHub does not accept the credentials of the App; create another one$"
        ),
    ):
        _read(apps, server.url, key)
