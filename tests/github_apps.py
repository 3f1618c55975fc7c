"""An imitation of GitHub that registers Apps from manifests, installs them and lets them read a history.

A person sees two pages: one that registers the App, with the button *Create GitHub App*, and one with
*Install*. `create` and `install` press these buttons without a browser.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives import serialization

from access.token_issuer import private_key
from local_http import Asked, LocalServer, Reply
from logged_secrets import remember
from mergecast.process.clock import now_in_microseconds
from mergecast.queues.model.instant import HOUR, SECOND, format_instant
from sources.faulty_server import Request
from sources.platforms import GitHubPlatform

_JSON = {"Content-Type": "application/json"}
_HTML = {"Content-Type": "text/html; charset=utf-8"}
_NOT_FOUND = Reply(404, b'{"message": "Not Found"}', _JSON)
_BAD_CREDENTIALS = Reply(401, b'{"message": "Bad credentials"}', _JSON)
# The permission that each event needs, as GitHub documents it.
_PERMISSION_OF = {
    "merge_group": "merge_queues",
    "pull_request": "pull_requests",
    "check_run": "checks",
    "check_suite": "checks",
    "workflow_job": "actions",
    "workflow_run": "actions",
    "status": "statuses",
    "push": "contents",
    "repository": "metadata",
}
_LOCAL = re.compile(r"https?://(localhost|127\.|10\.|192\.168\.|\[::1\])")

# The path below the API's URL, and the request → what an installation with a token is answered.
History = Callable[[str, Asked], Reply]


@dataclass
class App:
    id: int
    owner: str
    manifest: dict[str, Any]
    webhook_secret: str
    client_secret: str

    @property
    def slug(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", str(self.manifest["name"]).lower()).strip("-")

    @property
    def described(self) -> dict[str, Any]:
        """The answer to the exchange of a code."""
        return {
            "id": self.id,
            "slug": self.slug,
            "node_id": "A_kwHOAA",
            "owner": {"login": self.owner, "id": 1, "type": "Organization"},
            "name": self.manifest["name"],
            "external_url": self.manifest["url"],
            "html_url": f"https://github.test/apps/{self.slug}",
            "permissions": self.manifest["default_permissions"],
            "events": self.manifest.get("default_events", []),
            "client_id": "Iv23liaaaaaaaaaaaaaa",
            "client_secret": self.client_secret,
            "webhook_secret": self.webhook_secret if "hook_attributes" in self.manifest else None,
            "pem": app_pem(),
        }


@dataclass
class Installation:
    id: int
    app: App
    owner: str
    repositories: list[str]
    suspended_at: str | None = None


@dataclass
class GitHubApps:
    """Whoever visits is signed in as `person`, who owns the organizations."""

    person: str = "ines"
    repositories: dict[str, list[str]] = field(default_factory=lambda: {"acme": ["acme/web"]})  # by owner
    history: History = lambda _, __: _NOT_FOUND
    now: Callable[[], int] = now_in_microseconds
    prefix: str = ""  # of the API of an Enterprise Server
    trouble: Reply | None = None  # answers every request to the API
    apps: list[App] = field(default_factory=list)
    installations: list[Installation] = field(default_factory=list)
    tokens: dict[str, Installation] = field(default_factory=dict)
    exchanges: int = 0  # how often a code was presented
    _codes: dict[str, tuple[App, int]] = field(default_factory=dict)

    def answer(self, asked: Asked) -> Reply:
        parts = urlsplit(asked.path)
        query, form = dict(parse_qsl(parts.query)), _form(asked)
        if parts.path.endswith("/settings/apps/new") and asked.method == "POST":
            return self._registration_page(parts.path, query, form)
        if parts.path == "/settings/apps" and asked.method == "POST":
            return self.create(form["owner"], json.loads(form["manifest"]), form["state"])
        if found := re.fullmatch(r"/(?:apps|github-apps)/([^/]+)/installations/new", parts.path):
            return self._installation(asked.method, parts.path, found[1], query | form)
        if parts.path == "/api/graphql" and self.prefix:
            path = "/graphql"
        elif parts.path.startswith(f"{self.prefix}/"):
            path = parts.path.removeprefix(self.prefix)
        else:
            return _NOT_FOUND
        return self.trouble or self._api(path, asked)

    def _installation(self, method: str, path: str, slug: str, form: dict[str, str]) -> Reply:
        app = next((app for app in self.apps if app.slug == slug), None)
        if app is None or path.startswith("/github-apps/") != bool(self.prefix):
            return _NOT_FOUND
        return self.install(app, form) if method == "POST" else _install_page(app, form)

    def _registration_page(self, path: str, query: dict[str, str], form: dict[str, str]) -> Reply:
        _, _, organization = path.removesuffix("/settings/apps/new").rpartition("/organizations/")
        owner = organization or self.person
        manifest = json.loads(form["manifest"])
        if problems := wrong_in_manifest(manifest):
            listed = "".join(f"<li>{html.escape(problem)}</li>" for problem in problems)
            return Reply(422, f"<h1>Invalid GitHub App configuration</h1>{listed}".encode(), _HTML)
        hidden = {"owner": owner, "manifest": json.dumps(manifest), "state": query.get("state", "")}
        title = f"Create GitHub App for {owner}"
        return Reply(200, _page(title, "/settings/apps", hidden, title), _HTML)

    def create(self, owner: str, manifest: dict[str, Any], state: str) -> Reply:
        """Press *Create GitHub App*: the browser goes back with a code."""
        assert not wrong_in_manifest(manifest), wrong_in_manifest(manifest)
        secrets = remember(token_hex(20)), remember(token_hex(20))
        app = App(1000 + len(self.apps), owner, manifest, *secrets)
        self.apps.append(app)
        code = remember(token_hex(20))
        self._codes[code] = (app, self.now())
        return _back(manifest["redirect_url"], {"code": code, "state": state})

    def install(self, app: App, form: dict[str, str]) -> Reply:
        """Press *Install*; a private App can be installed on the account of its owner only."""
        self.installed(app)
        id = str(self.installations[-1].id)
        more = {"installation_id": id, "setup_action": "install"}
        return _back(app.manifest["setup_url"], {**more, "state": form.get("state", "")})

    def installed(self, app: App) -> Installation:
        made = Installation(
            7000 + len(self.installations), app, app.owner, self.repositories.get(app.owner, [])
        )
        self.installations.append(made)
        return made

    def _api(self, path: str, asked: Asked) -> Reply:
        if found := re.fullmatch(r"/app-manifests/([^/]+)/conversions", path):
            return self._convert(found[1]) if asked.method == "POST" else _NOT_FOUND
        token = dict(asked.headers).get("Authorization", "").removeprefix("Bearer ")
        if token in self.tokens:
            if path == "/installation/repositories":
                return _paged(asked, self.tokens[token].repositories)
            return self.history(path, asked)
        app = self._app_of(token)
        return _BAD_CREDENTIALS if app is None else self._as_app(app, path)

    def _convert(self, code: str) -> Reply:
        """Once, and within an hour."""
        self.exchanges += 1
        app, made_at = self._codes.pop(code, (None, 0))
        if app is None or self.now() - made_at > HOUR:
            return _NOT_FOUND
        return Reply(201, json.dumps(app.described).encode(), _JSON)

    def _app_of(self, signed: str) -> App | None:
        try:
            claims = jwt.decode(
                signed,
                private_key("rsa-1").public_key(),
                ["RS256"],
                options={"verify_exp": False, "verify_iat": False},
            )
        except jwt.PyJWTError:
            return None
        assert claims["iat"] <= self.now() // SECOND < claims["exp"] <= claims["iat"] + 600
        return next((app for app in self.apps if str(app.id) == claims["iss"]), None)

    def _as_app(self, app: App, path: str) -> Reply:
        own = [one for one in self.installations if one.app is app]
        if path == "/app/installations":
            listed = [
                {"id": one.id, "account": {"login": one.owner}, "suspended_at": one.suspended_at}
                for one in own
            ]
            return Reply(200, json.dumps(listed).encode(), _JSON)
        if found := re.fullmatch(r"/app/installations/([0-9]+)/access_tokens", path):
            return self._make_token([one for one in own if str(one.id) == found[1]])
        if found := re.fullmatch(r"/repos/([^/]+/[^/]+)/installation", path):
            reading = [one for one in own if found[1].lower() in map(str.lower, one.repositories)]
            return Reply(200, json.dumps({"id": reading[0].id}).encode(), _JSON) if reading else _NOT_FOUND
        return _NOT_FOUND

    def _make_token(self, own: list[Installation]) -> Reply:
        if not own:
            return _NOT_FOUND
        token = f"ghs_{token_hex(18)}"
        self.tokens[token] = own[0]
        made = {"token": token, "expires_at": format_instant(self.now() + HOUR)}
        return Reply(201, json.dumps(made).encode(), _JSON)


def wrong_in_manifest(manifest: dict[str, Any]) -> list[str]:
    """What GitHub refuses, in its own words."""
    hook, events = manifest.get("hook_attributes"), manifest.get("default_events", [])
    permissions = manifest.get("default_permissions", {})
    found = []
    if not manifest.get("url") or (hook is not None and not hook.get("url")):
        found.append('Error: "url" wasn\'t supplied.')
    if len(manifest.get("name", "")) > 34:
        found.append("Name is too long (maximum is 34 characters)")
    if hook is not None and _LOCAL.match(hook.get("url", "")):
        found.append("Hook url is not supported because it isn't reachable over the public Internet")
    if events and hook is None:
        found.append("Default events need a webhook")
    found += [f"Default events unsupported: {event}" for event in events if event not in _PERMISSION_OF]
    found += [
        f"Default events are not supported by permissions: {event}"
        for event in events
        if event in _PERMISSION_OF and _PERMISSION_OF[event] not in permissions
    ]
    return found


def app_pem() -> str:
    """The key of every App: to make one takes long."""
    pem: bytes = private_key("rsa-1").private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return pem.decode()


def _form(asked: Asked) -> dict[str, str]:
    kind = dict(asked.headers).get("Content-Type", "")
    if not kind.startswith("application/x-www-form-urlencoded"):
        return {}
    return {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}


def _back(url: str, query: dict[str, str]) -> Reply:
    return Reply(302, b"", {"Location": f"{url}?{urlencode(query)}"})


def _install_page(app: App, query: dict[str, str]) -> Reply:
    hidden = {"state": query.get("state", "")}
    return Reply(200, _page(f"Install {app.manifest['name']}", "", hidden, "Install"), _HTML)


def _page(title: str, action: str, hidden: dict[str, str], button: str) -> bytes:
    """A page with one button; without an action, the form goes to the page's own URL."""
    inputs = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in hidden.items()
    )
    place = f' action="{action}"' if action else ""
    return (
        f'<!doctype html><html lang="en"><title>{html.escape(title)}</title><h1>{html.escape(title)}</h1>'
        f'<form method="post"{place}>{inputs}<button>{html.escape(button)}</button></form>'
    ).encode()


def _paged(asked: Asked, names: list[str]) -> Reply:
    query = dict(parse_qsl(urlsplit(asked.path).query))
    size, page = int(query.get("per_page", "30")), int(query.get("page", "1"))
    part = [{"full_name": name} for name in names[(page - 1) * size : page * size]]
    return Reply(200, json.dumps({"total_count": len(names), "repositories": part}).encode(), _JSON)


def history_of(platform: GitHubPlatform) -> History:
    """Let installations read the repository of an imitated platform."""

    def answer(path: str, asked: Asked) -> Reply:
        headers = {**asked.headers, "Authorization": "Bearer ghp_reader"}
        body = json.loads(asked.body) if asked.body else None
        found = platform(Request(asked.method, path, parse_qs(urlsplit(asked.path).query), headers, body))
        content = b"" if found.value is None else json.dumps(found.value).encode()
        return Reply(found.status, content, {**_JSON, **found.headers})

    return answer


@contextmanager
def github_apps(**more: Any) -> Iterator[tuple[GitHubApps, LocalServer]]:
    """GitHub, and the server that answers for it; its API is at the server's URL with the prefix."""
    apps = GitHubApps(**more)
    with LocalServer(apps.answer) as server:
        yield apps, server
