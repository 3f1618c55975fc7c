"""Which handler answers: paths are compared segment by segment, before they are decoded."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from starlette.requests import Request
from starlette.responses import Response

Handler = Callable[[Request, Mapping[str, str]], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Route:
    """One method on one path; a segment in braces is a parameter."""

    method: str
    path: str
    handler: Handler


@dataclass(frozen=True, slots=True)
class Match:
    route: Route
    segments: Mapping[str, str]


class Router:
    """Routes by the number of their segments, so that few are compared."""

    def __init__(self, routes: list[Route]) -> None:
        self._by_length: dict[int, list[tuple[list[str], dict[str, Route]]]] = {}
        by_path: dict[str, dict[str, Route]] = {}
        for route in routes:
            by_path.setdefault(route.path, {})[route.method] = route
        for path, methods in by_path.items():
            segments = path.split("/")
            self._by_length.setdefault(len(segments), []).append((segments, methods))

    def match(self, method: str, raw_path: str) -> Match | list[str]:
        """The route and its parameters, or the methods that this path allows (none: no such path)."""
        given = raw_path.split("/")
        for segments, methods in self._by_length.get(len(given), []):
            if not all(a == b or a[:1] == "{" for a, b in zip(segments, given, strict=True)):
                continue
            route = methods.get("GET" if method == "HEAD" else method)
            if route is None:
                return sorted([*methods, "HEAD"] if "GET" in methods else methods)
            return Match(route, _parameters(segments, given))
        return []


def _parameters(segments: list[str], given: list[str]) -> dict[str, str]:
    return {name[1:-1]: _decoded(text) for name, text in zip(segments, given, strict=True) if name[:1] == "{"}


def _decoded(segment: str) -> str:
    """Percent decoding; what is not UTF-8 becomes a character that no name has."""
    if "%" not in segment:
        return segment
    return unquote_to_bytes(segment).decode("utf-8", "replace")
