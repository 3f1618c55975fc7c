"""Registers a GitHub App by a manifest: what GitHub is asked for, and the exchange of the code it returns.

A person confirms the manifest on a page of GitHub, which redirects back with a code. The code can be
exchanged for the secrets of the App once, within an hour.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote

import msgspec

from mergecast.errors import MergecastError
from mergecast.incoming.platform.fetch import Fetched, Fetcher, NoAnswer, PlatformDown, answered, is_limit
from mergecast.incoming.platform.github import User, decoded, headers_for

LONGEST_NAME = 34
# As docs/sources/github.md lists them. GitHub refuses an event whose permission is missing, and
# `installation`, which it sends to every App.
PERMISSIONS = {
    "actions": "read",
    "checks": "read",
    "contents": "read",
    "merge_queues": "read",
    "metadata": "read",
    "pull_requests": "read",
    "statuses": "read",
}
EVENTS = (
    *("merge_group", "pull_request", "check_run", "check_suite", "workflow_job", "workflow_run"),
    *("status", "push", "repository"),
)
_CODE = re.compile(r"[0-9A-Za-z_-]{1,200}")
_SLUG = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}")
_CREATED, _NOT_FOUND, _UNPROCESSABLE = 201, 404, 422


class RefusedCode(MergecastError):
    """GitHub does not know the code: it was used, it is older than an hour, or it was invented."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where GitHub finds this server."""

    home: str
    created: str  # the browser returns here with the code
    installed: str  # and here when the App is installed
    webhook: str | None  # None if GitHub cannot reach this server


def app_name(owner: str, mark: str) -> str:
    """A name for an App. All Apps on GitHub have different names, which the mark sees to.

    >>> app_name("acme", "3f9a"), len(app_name("a" * 39, "3f9a"))
    ('Mergecast acme 3f9a', 34)
    """
    room = LONGEST_NAME - len(f"Mergecast  {mark}")
    return f"Mergecast {owner[:room]} {mark}"


def app_manifest(name: str, addresses: Addresses, *, has_webhook: bool) -> dict[str, object]:
    """The document that GitHub makes an App from.

    People report that GitHub refuses the URL of a webhook that it cannot reach, and events without a
    webhook; GitHub does not document it. So the manifest of a server that cannot be reached has neither.
    """
    hook: dict[str, object] = {}
    if addresses.webhook is not None:
        attributes = {"url": addresses.webhook, "active": has_webhook}
        hook = {"hook_attributes": attributes, "default_events": list(EVENTS)}
    return {
        "name": name,
        "url": addresses.home,
        "redirect_url": addresses.created,
        "setup_url": addresses.installed,
        "public": False,
        "default_permissions": PERMISSIONS,
        **hook,
    }


class _Registered(msgspec.Struct, frozen=True):
    id: int
    slug: str
    owner: User
    pem: str
    client_id: str = ""
    client_secret: str = ""
    webhook_secret: str | None = None  # an App without a webhook has none


@dataclass(frozen=True, slots=True)
class RegisteredApp:
    id: str
    slug: str
    owner: str
    secrets: "AppSecrets"


class AppSecrets(msgspec.Struct, frozen=True):
    """What only this server may know of an App."""

    pem: str
    webhook_secret: str = ""
    client_id: str = ""
    client_secret: str = ""

    def __repr__(self) -> str:
        return "AppSecrets(…)"


async def exchange_code(fetcher: Fetcher, url: str, code: str) -> RegisteredApp:
    """The App that a code stands for; `RefusedCode` if GitHub does not accept the code."""
    if _CODE.fullmatch(code) is None:
        raise RefusedCode("this is not a code of GitHub")
    try:
        answer = await fetcher.post(f"{url}/app-manifests/{quote(code)}/conversions", headers_for(None), b"")
    except NoAnswer as error:
        raise PlatformDown(f"GitHub does not exchange the code: {error}") from error
    return _registered(answer)


def _registered(answer: Fetched) -> RegisteredApp:
    if answer.status in (_NOT_FOUND, _UNPROCESSABLE):
        raise RefusedCode("GitHub does not know the code: it was used already, or is older than an hour")
    if is_limit(answer) or answer.status != _CREATED:
        raise PlatformDown(f"when asked to exchange the code, GitHub {answered(answer)}")
    app = decoded(answer, _Registered)
    if _SLUG.fullmatch(app.slug) is None:
        raise PlatformDown("GitHub registered an App with an unreadable name")
    secrets = AppSecrets(app.pem, app.webhook_secret or "", app.client_id, app.client_secret)
    return RegisteredApp(str(app.id), app.slug, app.owner.login, secrets)
