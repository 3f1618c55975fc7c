"""Serves the built dashboard: one page for all its URLs, and files named by a digest of their content."""

import gzip
import re
from collections.abc import Mapping
from functools import cache, cached_property
from mimetypes import guess_type
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right
from mergecast.api.openapi.operation import BINARY, HTML, STRING, Content, Operation
from mergecast.api.parameters import ANY_TEXT, Parameter
from mergecast.api.problems import HttpError
from mergecast.api.routing import ASSET_PATH, DASHBOARD_PATHS, ICON_PATH, LICENSES_PATH, Handler, Route
from mergecast.api.services import Services

_BASE = re.compile(r'<base href="[^"]*" ?/?>')
# As in `model/place.ts` of the dashboard.
_REPOSITORY_PAGES = frozenset(
    ("", "queue", "alerts", "ci-checks", "forecast", "set-up", "configuration", "sources", "settings")
)
_PULL_PAGE, _NUMBER = "pulls", re.compile("[0-9]{1,15}")
_WORTH_COMPRESSING = 1024
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'self'; form-action 'self' {forms}; frame-ancestors 'none'"
)
_PAGE_HEADERS = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
PAGE = "index.html"
# Where the build puts the dashboard's files; an installation may lack them.
BUILT_DASHBOARD = Path(__file__).with_name("dashboard")
_FILE_HEADERS = {
    # A shared worker obeys the policy of its file: it may listen to this server.
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding",
}
_FOREVER = "public, max-age=31536000, immutable"
_FOR_A_DAY = "public, max-age=86400"

_NOT_BUILT = """<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Mergecast</title></head>
  <body>
    <h1>Mergecast</h1>
    <p>The dashboard is not built in this installation.</p>
    <p>In a clone, run <code>scripts/install</code> to build it. Released packages contain it.</p>
    <p>The HTTP API works without it: <a href="{prefix}/v1/openapi.json">its description</a>.</p>
  </body>
</html>
"""
_RULE = 80
_LICENSES = """\
Mergecast is licensed under the Apache License 2.0. The pages of its dashboard contain these packages, whose
licences follow. Libraries of Python are installed beside Mergecast, each with its own licence."""
# The page is served for every name, and reports an invalid one itself.
_ANY_NAMES = tuple(
    Parameter(name, "path", ANY_TEXT, description)
    for name, description in (
        ("owner", "Owner of the repository"),
        ("repository", "Name of the repository"),
        ("number", "Number of the pull request"),
        ("page", "Name of a page"),
    )
)
_FILE = Parameter("file", "path", ANY_TEXT, "Name of a file of the dashboard")


class DashboardFiles:
    """Reads each file once. Names are looked up among the files found, so there is no path to resolve."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._content = cache(_content)

    @cached_property
    def _assets(self) -> dict[str, Path]:
        folder = self._services.dashboard / "assets"
        return {file.name: file for file in folder.iterdir()} if folder.is_dir() else {}

    async def page(self, _: Request, segments: Mapping[str, str]) -> Response:
        """The same page for everyone and every URL below the prefix, which becomes its base."""
        return self._html(PAGE) if _is_page(segments) else self.missing()

    def missing(self) -> Response:
        """The page again: it says that there is no such page."""
        response = self._html(PAGE)
        response.status_code, response.headers["Vary"] = 404, "Accept"
        return response

    async def docs(self, _: Request, __: Mapping[str, str]) -> Response:
        """The page to read and try the API."""
        return self._html("docs.html")

    @cached_property
    def _policy(self) -> str:
        """Forms go to this server, and to GitHub, where they register an App."""
        return _POLICY.format(forms=" ".join(self._services.github_apps.places.origins()))

    def _html(self, name: str) -> Response:
        file, prefix = self._services.dashboard / name, self._services.prefix
        if file.is_file():
            text = _BASE.sub(f'<base href="{prefix}/">', self._content(file)[0].decode(), count=1)
        else:
            text = _NOT_BUILT.format(prefix=prefix)
        headers = {**_PAGE_HEADERS, "Content-Security-Policy": self._policy}
        return Response(text, headers=headers, media_type="text/html; charset=utf-8")

    async def asset(self, request: Request, segments: Mapping[str, str]) -> Response:
        """A file whose name contains a digest of its content, so browsers may cache it forever."""
        file = self._assets.get(segments["file"])
        return self._file(request, file, _FOREVER)

    async def icon(self, request: Request, _: Mapping[str, str]) -> Response:
        file = self._services.dashboard / "icon.svg"
        return self._file(request, file if file.is_file() else None, _FOR_A_DAY)

    async def licenses(self, _: Request, __: Mapping[str, str]) -> Response:
        """The licences of the packages in the dashboard's files, as text."""
        file = self._services.dashboard / "licenses.json"
        if not file.is_file():
            raise HttpError(
                404, "the dashboard is not built in this installation, so it contains no packages"
            )
        return Response(
            _licenses(file),
            headers={**_FILE_HEADERS, "Cache-Control": _FOR_A_DAY},
            media_type="text/plain; charset=utf-8",
        )

    def _file(self, request: Request, file: Path | None, keep: str) -> Response:
        if file is None or not file.exists():  # a new build removes files of the one before
            raise HttpError(404, "the dashboard has no such file; reload the page to get the current ones")
        headers = {**_FILE_HEADERS, "Cache-Control": keep}
        plain, compressed = self._content(file)
        if compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            plain, headers["Content-Encoding"] = compressed, "gzip"
        return Response(plain, headers=headers, media_type=guess_type(file.name)[0])


def _is_page(segments: Mapping[str, str]) -> bool:
    """A path that names a page of a repository must name one of those that exist."""
    page, number = segments.get("page", ""), segments.get("number", "")
    if number:
        return page == _PULL_PAGE and _NUMBER.fullmatch(number) is not None
    return page in _REPOSITORY_PAGES


class _Licensed(msgspec.Struct, frozen=True):
    """A package in the files of the dashboard; `dashboard/licenses.ts` writes the list."""

    name: str
    version: str
    license: str
    texts: list[str]


@cache
def _licenses(file: Path) -> str:
    packages = msgspec.json.decode(file.read_bytes(), type=list[_Licensed])
    parts = [_LICENSES, "\n".join(f"{one.name} {one.version}: {one.license}" for one in packages)]
    for one in packages:
        parts += [f"{one.name} {one.version}\n{'=' * _RULE}", *one.texts]
    return "\n\n".join(parts) + "\n"


def _content(file: Path) -> tuple[bytes, bytes | None]:
    """A file as it is and, if that makes it smaller, compressed."""
    plain = file.read_bytes()
    compressed = gzip.compress(plain, mtime=0) if len(plain) >= _WORTH_COMPRESSING else plain
    return plain, compressed if len(compressed) < len(plain) else None


def dashboard_routes(services: Services) -> list[Route]:
    built = DashboardFiles(services)
    return [
        *(
            _public(path, built.page, "The dashboard", HTML, *_names_in(path))
            for path in sorted(DASHBOARD_PATHS)
        ),
        _public("/docs", built.docs, "A page to try the API", HTML),
        _public(ASSET_PATH, built.asset, "A file of the dashboard", BINARY, _FILE),
        _public(
            LICENSES_PATH,
            built.licenses,
            "Licences of the packages in the dashboard",
            {"text/plain": {"schema": STRING}},
        ),
        _public(ICON_PATH, built.icon, "The icon of the dashboard", {"image/svg+xml": {"schema": STRING}}),
    ]


def _names_in(path: str) -> list[Parameter]:
    return [name for name in _ANY_NAMES if f"{{{name.name}}}" in path]


def _public(path: str, handler: Handler, summary: str, answer: Content, *parameters: Parameter) -> Route:
    missing = HTML if answer is HTML else {}
    operation = Operation("Dashboard", summary, answer, parameters, refusals=(404,), missing=missing)
    return Route("GET", path, Right.PUBLIC, handler, operation)
