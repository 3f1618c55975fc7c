"""Which handler answers: paths are compared segment by segment, before they are decoded."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from starlette.requests import Request
from starlette.responses import Response

from mergecast.access.rights import Right

Handler = Callable[[Request, Mapping[str, str]], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """One method on one path, and the right it takes; a segment in braces is a parameter."""

    method: str
    path: str
    right: Right
    handler: Handler
    is_costly: bool = False  # only so many of these run for one credential at the same time

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Match:
    route: Route
    segments: Mapping[str, str]


class Router:
    """A tree of segments: every request is compared once per segment, however many routes there are."""

    def __init__(self, routes: list[Route]) -> None:
        self._root = _Node()
        for route in routes:
            node = self._root
            for segment in route.path.split("/"):
                if segment[:1] == "{":
                    node.parameter = node.parameter or (segment[1:-1], _Node())
                    node = node.parameter[1]
                else:
                    node = node.children.setdefault(segment, _Node())
            node.routes[route.method] = route

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


@dataclass(slots=True)
class _Node:
    """What may follow a beginning of a path, and the routes that end there."""

    children: dict[str, "_Node"] = field(default_factory=dict)
    parameter: tuple[str, "_Node"] | None = None
    routes: dict[str, Route] = field(default_factory=dict)


def _decoded(segment: str) -> str:
    """Percent decoding; what is not UTF-8 becomes a character that no name has."""
    if "%" not in segment:
        return segment
    return unquote_to_bytes(segment).decode("utf-8", "replace")
