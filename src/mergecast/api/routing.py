"""Which handler answers a request: paths are matched segment by segment, before they are decoded."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Admission, Right
from mergecast.api.openapi.operation import Operation
from mergecast.incoming.sources.registry import SOURCES
from mergecast.queues.model.nearest import nearest

Handler = Callable[[Request, Mapping[str, str]], Awaitable[Response]]

REPOSITORY_PATH = "/v1/repos/{owner}/{repository}"
PULL_REQUEST_PATH = f"{REPOSITORY_PATH}/pulls/{{number}}"
# By path: how the webhooks of a source are read.
HOOK_PATHS = {
    f"/v1/hooks/{name}": source.webhooks for name, source in SOURCES.items() if source.webhooks is not None
}
MCP_PATH = "/mcp"
PRODUCTS_PAGE = "/repos/{owner}/{repository}/products"
SESSION_PATH = "/v1/session"
GITHUB_PATH, OIDC_PATH = f"{SESSION_PATH}/github", f"{SESSION_PATH}/oidc"
GITHUB_RETURN_PATH, OIDC_RETURN_PATH = f"{GITHUB_PATH}/return", f"{OIDC_PATH}/return"
APP_CREATED_PATH, APP_INSTALLED_PATH = "/github-apps/created", "/github-apps/installed"
DASHBOARD_PATHS = frozenset({
    "/", "/settings", "/sources", "/r/{owner}", "/r/{owner}/{repository}", "/r/{owner}/{repository}/{page}",
    "/r/{owner}/{repository}/{page}/{number}",
})  # fmt: skip
ASSET_PATH, ICON_PATH, LICENSES_PATH = "/assets/{file}", "/icon.svg", "/licenses"
_PAGES = DASHBOARD_PATHS | {ASSET_PATH, ICON_PATH, LICENSES_PATH, PRODUCTS_PAGE}
# Every other path goes through the guard. A route cannot make itself public: it must be listed here too.
PUBLIC_PATHS = frozenset({
    "/healthz", "/readyz", "/metrics", "/docs", "/v1/openapi.json", "/v1/configuration-schema.json",
    SESSION_PATH, GITHUB_PATH, GITHUB_RETURN_PATH, OIDC_PATH, OIDC_RETURN_PATH, PRODUCTS_PAGE,
    APP_CREATED_PATH, APP_INSTALLED_PATH,
    *DASHBOARD_PATHS, ASSET_PATH, ICON_PATH, LICENSES_PATH, *HOOK_PATHS,
})  # fmt: skip

# Below the path of a repository: what these are now.
_MOVED = {
    "targets": "settings",
    "prices": "settings",
    "baselines": "reference-periods",
    "baseline-preview": "reference-periods/preview",
    "queue-problems": "alerts",
}
_REPOSITORY_SEGMENTS = len(REPOSITORY_PATH.split("/"))
_WRITTEN_BY_SETTINGS = ("thresholds", "reference-periods", "alerts")

ADMISSION = "mergecast.admission"
APPLICATION = "mergecast.application"  # for requests that a handler makes itself

# What a suggested path may cost: two misspelled segments, or one that is missing.
_MISSPELLED = 1
_MISSING = 2
_MOST_MISTAKES = 2
_ANY_VALUE = 0.01  # of several paths with the same mistakes, the one with more known names is meant
# Searching takes longer for longer paths, and the caller has shown no credential yet.
_MOST_SEGMENTS = 12


@dataclass(frozen=True, slots=True)
class Route:
    """One method on one path: the right it needs, its handler and its description."""

    method: str
    path: str  # a segment in braces is a parameter
    right: Right
    handler: Handler
    operation: Operation
    is_costly: bool = False  # the number of such requests that run at once is limited per credential

    @property
    def parameter_names(self) -> list[str]:
        return [segment[1:-1] for segment in self.path.split("/") if segment[:1] == "{"]

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Match:
    route: Route
    segments: Mapping[str, str]


def admission_of(request: Request) -> Admission:
    """Who sent this request. Every request for a path that is not public has an admission."""
    admission: Admission = request.scope[ADMISSION]
    return admission


def moved_path(raw_path: str) -> str | None:
    """Where something is now that was here before.

    >>> moved_path("/v1/repos/acme/widgets/baselines/march")
    '/v1/repos/acme/widgets/reference-periods/march'
    """
    if raw_path == "/v1/audit":
        return "/v1/log"
    below = _below_repository(raw_path)
    if below is None or below[1] not in _MOVED:
        return None
    repository, old, *rest = below
    new = _MOVED[old]
    return "/".join([repository, new, *([] if new == "settings" else rest)])


def settings_path(raw_path: str) -> str | None:
    """The path that changes what can only be read here."""
    below = _below_repository(raw_path)
    return f"{below[0]}/settings" if below and below[1] in _WRITTEN_BY_SETTINGS else None


def _below_repository(raw_path: str) -> list[str] | None:
    """The path of the repository, and the segments after it."""
    segments = raw_path.rstrip("/").split("/")
    is_below = len(segments) > _REPOSITORY_SEGMENTS and segments[:3] == ["", "v1", "repos"]
    repository, rest = segments[:_REPOSITORY_SEGMENTS], segments[_REPOSITORY_SEGMENTS:]
    return ["/".join(repository), *rest] if is_below else None


class Router:
    """A tree of segments: matching costs one step per segment, however many routes there are."""

    def __init__(self, routes: list[Route]) -> None:
        self._root = _tree(routes)
        # Suggest only paths of the API: any two words could be a page of the dashboard.
        self._suggested = _tree(route for route in routes if route.path not in _PAGES)

    def match(self, method: str, raw_path: str) -> Match | list[str]:
        """The route and its parameters, or the methods that this path allows (none: no such path)."""
        node = self._root
        values: dict[str, str] = {}
        for segment in raw_path.split("/"):
            child = node.children.get(segment)
            if child is None:
                if node.parameter is None:
                    return []
                name, child = node.parameter
                values[name] = _decoded(segment)
            node = child
        route = node.routes.get("GET" if method == "HEAD" else method)
        if route is not None:
            return Match(route, values)
        return sorted([*node.routes, "HEAD"] if "GET" in node.routes else node.routes)

    def nearest_path(self, raw_path: str) -> str | None:
        """The path that the caller of an unknown path probably meant, with the values as written, or None."""
        segments = raw_path.rstrip("/").split("/")
        if len(segments) > _MOST_SEGMENTS:
            return None
        found = sorted(_similar(self._suggested, segments, _MOST_MISTAKES + 0.5))
        is_unique = len(found) == 1 or (len(found) > 1 and found[0][0] < found[1][0])
        return "/".join(found[0][1]) if is_unique else None


@dataclass(slots=True)
class _Node:
    """The segments that may follow a prefix, and the routes that end at it."""

    children: dict[str, "_Node"] = field(default_factory=dict)
    parameter: tuple[str, "_Node"] | None = None
    routes: dict[str, Route] = field(default_factory=dict)


def _tree(routes: Iterable[Route]) -> _Node:
    root = _Node()
    for route in routes:
        node = root
        for segment in route.path.split("/"):
            if segment[:1] == "{":
                node.parameter = node.parameter or (segment[1:-1], _Node())
                node = node.parameter[1]
            else:
                node = node.children.setdefault(segment, _Node())
        node.routes[route.method] = route
    return root


def _similar(node: _Node, segments: Sequence[str], budget: float) -> Iterator[tuple[float, list[str]]]:
    """The paths below a node that differ from the segments by few mistakes, with the cost of those."""
    if not segments:
        if node.routes:
            yield 0, []
        return
    for cost, name, child, rest in _steps(node, segments, budget):
        for more, path in _similar(child, rest, budget - cost):
            yield cost + more, [name, *path]


def _steps(
    node: _Node, segments: Sequence[str], budget: float
) -> Iterator[tuple[float, str, _Node, Sequence[str]]]:
    """The ways to go one segment down: its cost, its name, where it leads, and the segments left."""
    written, rest = segments[0], segments[1:]
    if written in node.children:
        yield 0, written, node.children[written], rest
    elif budget >= _MISSPELLED and (name := nearest(written, node.children)):
        yield _MISSPELLED, name, node.children[name], rest
    if node.parameter and written:
        yield _ANY_VALUE, written, node.parameter[1], rest
    if budget >= _MISSING:
        for name, child in node.children.items():
            if name != written:
                yield _MISSING, name, child, segments


def _decoded(segment: str) -> str:
    """Percent decoding; invalid UTF-8 becomes a character that no valid name contains."""
    if "%" not in segment:
        return segment
    return unquote_to_bytes(segment).decode("utf-8", "replace")
