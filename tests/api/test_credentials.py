"""Which credentials are valid, and in which order the server checks a request."""

import httpx
import pytest

from api.problem_documents import FORBIDDEN, unknown_repository
from live_server import TOKEN, LiveServer
from local_client import local_client

_WRONG = {
    "none": [],
    "empty": [""],
    "scheme alone": ["Bearer"],
    "another scheme": [f"Basic {TOKEN}"],
    "token alone": [TOKEN],
    "another token": ["Bearer another-token-of-more-than-32-characters"],
    "half a token": [f"Bearer {TOKEN[:-1]}"],
    "longer token": [f"Bearer {TOKEN}x"],
    "other case": [f"Bearer {TOKEN.upper()}"],
    "two tokens in one": [f"Bearer {TOKEN}, Bearer {TOKEN}"],
    "given twice": [f"Bearer {TOKEN}", f"Bearer {TOKEN}"],
    "not ASCII": ["Bearer \xe9\xff"],
    "tab": [f"Bearer\t{TOKEN}"],
}
_GUARDED = [
    ("GET", "/v1/repos"),
    ("GET", "/v1/repos/acme/widgets/stats/queues"),
    ("GET", "/v1/repos/acme/nobody-knows/stats/queues"),
    ("GET", "/v1/repos/acme/widgets/events"),
    ("POST", "/v1/repos/acme/widgets/events"),
    ("DELETE", "/v1/repos/acme/widgets/events"),
    ("DELETE", "/v1/repos/acme/widgets"),
    ("POST", "/v1/admin/rebuild"),
    ("GET", "/v1/admin/backup"),
]


def _ask(
    server: LiveServer, method: str, path: str, authorizations: list[str], **more: bytes
) -> httpx.Response:
    headers = [(b"Authorization", one.encode("latin-1")) for one in authorizations]
    with local_client(server.url) as stranger:
        return stranger.request(method, path, headers=headers, content=more.get("content"))


@pytest.mark.parametrize("authorizations", _WRONG.values(), ids=_WRONG.keys())
def test_invalid_credentials(server: LiveServer, authorizations: list[str]) -> None:
    """Every invalid credential gets the same response."""
    answer = _ask(server, "GET", "/v1/repos/acme/widgets/stats/queues", authorizations)

    assert (403, FORBIDDEN) == (answer.status_code, answer.json())
    assert ("Bearer", "application/problem+json") == (
        answer.headers["www-authenticate"],
        answer.headers["content-type"],
    )


@pytest.mark.parametrize(("method", "path"), _GUARDED)
def test_every_protected_path(server: LiveServer, method: str, path: str) -> None:
    """Without a credential the response is the same everywhere, whether the repository exists or not."""
    answer = _ask(server, method, path, [])

    assert (403, FORBIDDEN) == (answer.status_code, answer.json())


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_is_case_insensitive(server: LiveServer, scheme: str) -> None:
    """RFC 9110 compares authentication schemes without case."""
    assert 200 == _ask(server, "GET", "/v1/repos", [f"{scheme} {TOKEN}"]).status_code


def test_403_before_413_and_415(server: LiveServer) -> None:
    """The server checks the credential before it reads the body."""
    answer = _ask(server, "POST", "/v1/repos/acme/widgets/events", [], content=b"x" * 100)

    assert 403 == answer.status_code


def test_403_before_422(server: LiveServer) -> None:
    """The server checks the credential before the path and the query."""
    answer = _ask(server, "GET", "/v1/repos/a_b/widgets/stats/queues?start_at=1", [])

    assert (403, FORBIDDEN) == (answer.status_code, answer.json())


@pytest.mark.parametrize("headers", [{"Content-Type": "text/plain"}, {"Content-Encoding": "br"}])
def test_415_before_422(server: LiveServer, headers: dict[str, str]) -> None:
    """The server rejects an unsupported media type before it checks the path and the query."""
    sent = {"Content-Type": "application/json", **headers}

    answer = server.http.post("/v1/repos/a_b/widgets/events?x=1", content=b"nonsense", headers=sent)

    assert 415 == answer.status_code


def test_413_before_422(server: LiveServer) -> None:
    """The server rejects a body that is too large before it checks the path and the query."""
    body = b" " * ((32 << 20) + 1)

    answer = server.http.post(
        "/v1/repos/a_b/widgets/events?x=1", content=body, headers={"Content-Type": "application/json"}
    )

    assert 413 == answer.status_code


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_422_before_404(server: LiveServer, method: str) -> None:
    """The server reports an invalid query before it looks up the repository."""
    path = "stats/queues" if method == "GET" else "events"

    wrong = server.http.request(method, f"/v1/repos/acme/nobody-knows/{path}?start_at=1")
    right = server.http.request(method, f"/v1/repos/acme/nobody-knows/{path}?start_at=2026-03-02T00:00:00Z")

    assert 422 == wrong.status_code
    assert (404, unknown_repository("acme/nobody-knows")) == (right.status_code, right.json())
