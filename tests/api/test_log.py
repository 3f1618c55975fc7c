"""`GET /v1/log`: pages of lines, for the operator only."""

from collections.abc import Iterator

import pytest

from api.problem_documents import FORBIDDEN, error, invalid
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant

_BEGIN = parse_instant("2026-03-02T10:00:00Z")

_UNKNOWN = (
    "is not a parameter of this endpoint, did you mean repository? It takes start_at, end_at, owner, "
    "repository, limit, after"
)


class _Clock:
    now = _BEGIN


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Five changes, a minute after each other."""
    clock = _Clock()
    with live_server(tmp_path_factory.mktemp("audit"), now=lambda: clock.now) as live:
        for place in ("acme/one", "acme/two", "other/one", "acme/one", "acme/two"):
            clock.now += MINUTE
            path = f"/v1/repos/{place}/products"
            live.http.put(path, json={"products": ["merge_queue"]}).raise_for_status()
        yield live


def _minutes(lines: list[dict[str, str]]) -> list[int]:
    return [(parse_instant(line["at"]) - _BEGIN) // MINUTE for line in lines]


def test_pages(server: LiveServer) -> None:
    """`next` continues where a page ended, and is null on the last page."""
    found, after = [], dict[str, str]()
    for _ in range(3):
        answer = server.http.get("/v1/log", params={"limit": 2, **after}).json()
        found.append(_minutes(answer["lines"]))
        after = {"after": answer["next"]}

    assert ([[5, 4], [3, 2], [1]], None) == (found, answer["next"])


@pytest.mark.parametrize(
    ("asked", "minutes"),
    [
        ({"repository": "ONE"}, [4, 3, 1]),
        ({"owner": "Acme", "repository": "one"}, [4, 1]),
        ({"owner": "other"}, [3]),
        ({"start_at": format_instant(_BEGIN + 4 * MINUTE)}, [5, 4]),
        ({"end_at": format_instant(_BEGIN + 2 * MINUTE)}, [1]),
        ({"owner": "nobody"}, []),
    ],
    ids=str,
)
def test_filters(server: LiveServer, asked: dict[str, str], minutes: list[int]) -> None:
    assert minutes == _minutes(server.http.get("/v1/log", params=asked).json()["lines"])


@pytest.mark.parametrize(
    ("query", "name", "message"),
    [
        ("after=7", "after", "must be `next` of the page before"),
        ("limit=0", "limit", "must be a number from 1 to 1000, in plain decimal digits"),
        ("start_at=2026-03-02T10:00:00Z&end_at=2026-03-02T10:00:00Z", "start_at", "must be before end_at"),
        ("repositry=one", "repositry", _UNKNOWN),
    ],
)
def test_bad_input(server: LiveServer, query: str, name: str, message: str) -> None:
    answer = server.http.get(f"/v1/log?{query}")

    assert (422, invalid(error("query", name, message))) == (answer.status_code, answer.json())


def test_only_the_operator_reads_it(server: LiveServer) -> None:
    """Lines say who works on the repositories of other owners, and from where."""
    key = server.key("acme", scopes=["read", "ingest", "admin"])["key"]

    answer = server.ask(key, "/v1/log")

    assert (403, FORBIDDEN) == (answer.status_code, answer.json())


def test_who_used_a_key(server: LiveServer) -> None:
    made = server.key("acme", scopes=["admin"])
    path = "/v1/repos/acme/two/products"

    server.ask(made["key"], path, "PUT", json={"products": []}).raise_for_status()

    line = server.http.get("/v1/log", params={"limit": 1}).json()["lines"][0]
    assert ("products changed", f"application key {made['id']}") == (line["event"], line["who"])
    assert made["key"].rpartition("_")[2] not in server.http.get("/v1/log").text
