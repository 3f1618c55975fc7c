"""No handler can forget the guard: the table of routes says which right each one needs."""

import re
from pathlib import Path
from typing import Any, cast

import pytest

from access.hosting_platform import STRANGER
from access.token_issuer import actions_claims, signed
from api.problem_documents import FORBIDDEN, UNAUTHORIZED
from live_server import LiveServer
from mergecast.access.rights import Right
from mergecast.api.routes import all_routes
from mergecast.api.routing import PUBLIC_PATHS, Route
from mergecast.api.services import Services

ROUTES = all_routes(cast("Services", None), Path())
_GUARDED = [route for route in ROUTES if route.path not in PUBLIC_PATHS]
_NAMES = {
    "{owner}": "umbrella",
    "{repository}": "secret",
    "{number}": "12",
    "{page}": "queue",
    "{source}": "github",
    "{id}": "0123456789ab",
    "{name}": "march",
    "{table}": "stays",
    "{file}": "x.js",
}


def _path(route: Route) -> str:
    path = route.path
    for name, value in _NAMES.items():
        path = path.replace(name, value)
    assert "{" not in path, "a new parameter needs a value here"
    return path


def test_public_routes_match_the_constant() -> None:
    """One constant defines the public paths, and every route agrees with it."""
    assert {route.path for route in ROUTES if route.right is Right.PUBLIC} == PUBLIC_PATHS


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/credentials.md"])
def test_public_routes_are_documented(page: str) -> None:
    """The documentation lists exactly the public routes as those that need no credential."""
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    _, _, after = text.partition(", except ")

    assert set(re.findall(r"`(/[^`]*)`", re.split(r"\.\s", after)[0])) == PUBLIC_PATHS


def test_no_response_is_shared_by_accident(server: LiveServer) -> None:
    """Shared caches keep public responses only, and no other site shows a response in a frame."""
    for route in ROUTES:
        if route.method != "GET":
            continue
        with server.http.stream("GET", _path(route)) as answer:
            headers = answer.headers

        assert "nosniff" == headers["x-content-type-options"], route
        assert "frame-ancestors 'none'" in headers["content-security-policy"], route
        if route.path not in PUBLIC_PATHS:
            assert {"no-store", "private"} & set(headers["cache-control"].split(", ")), route


@pytest.fixture(scope="module")
def key(server: LiveServer) -> str:
    """A key for other repositories."""
    return str(server.key("acme", scopes=["read", "ingest", "admin"])["key"])


def _token(kind: str, key: str) -> str:
    match kind:
        case "key":
            return key
        case "service token":
            return signed(actions_claims())
        case "platform token":
            return STRANGER
    return "x" * 40


@pytest.mark.parametrize("kind", ["none", "made up", "key", "service token", "platform token"])
def test_no_route_is_unguarded(server: LiveServer, key: str, kind: str) -> None:
    """No credential, a wrong one, and one for other repositories get the same response."""
    headers: dict[str, Any] = {"Authorization": f"Bearer {_token(kind, key)}"} if kind != "none" else {}
    is_of_others = kind not in ("none", "made up")
    with server.anonymous() as http:
        for route in _GUARDED:
            if is_of_others and route.right in {Right.LIST, Right.TOOLS}:
                continue
            answer = http.request(route.method, _path(route), headers=headers)
            expected = UNAUTHORIZED if route.right is Right.TOOLS else FORBIDDEN
            assert (expected["status"], expected) == (answer.status_code, answer.json()), route
            assert "Bearer" == answer.headers["www-authenticate"], route


@pytest.mark.parametrize("route", [route for route in ROUTES if route.path in PUBLIC_PATHS], ids=str)
def test_public_paths_take_no_credential(server: LiveServer, route: Route) -> None:
    """They ignore an invalid one."""
    with server.anonymous() as http:
        without = http.request(route.method, _path(route))

    answer = server.ask("nonsense", _path(route), route.method)

    assert without.status_code == answer.status_code != 403
