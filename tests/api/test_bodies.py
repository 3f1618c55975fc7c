"""The body of a delivery: media type, encoding, size, JSON and NDJSON."""

import gzip
from collections.abc import Iterator

import httpx
import msgspec
import pytest

from api.problem_documents import error, invalid, problem
from builders import entered, worked_example
from live_server import LiveServer

_LIMIT = 32 << 20
_JSON = "application/json"
_LINES = "application/x-ndjson"
_TOO_LARGE = problem(413, "the body may be at most 32 MiB, decompressed; send it in parts")
_BAD_GZIP = invalid(error("body", "", "the body is declared as gzip but is not gzip, or is cut short"))
_TOO_MANY = invalid(error("body", "", "a delivery holds at most 10000 events; send the rest in another one"))


def _post(
    server: LiveServer,
    repository: str,
    content: bytes | Iterator[bytes],
    type: str = _JSON,
    encoding: str = "",
) -> httpx.Response:
    headers = {"Content-Type": type, **({"Content-Encoding": encoding} if encoding else {})}
    return server.http.post(f"/v1/repos/{repository}/events", content=content, headers=headers)


def _packed(*contents: bytes) -> bytes:
    return b"".join(gzip.compress(content, 1) for content in contents)


def _lines(events: list[dict[str, object]]) -> bytes:
    return b"\n".join(msgspec.json.encode(event) for event in events)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"nonsense",
        b"[",
        b"[1,2",
        b"[{]",
        b"{'a': 1}",
        b"[NaN]",
        b"[Infinity]",
        b"[01]",
        b"[1,]",
        b"[]]",
        b"\xff\xfe[\x00]\x00",
        b"\xef\xbb\xbf[]",
        b'["\xff"]',
        b'["a\nb"]',
        b'["\\x"]',
        b"[] []",
        b"[" * 5000,
    ],
)
def test_malformed_json(server: LiveServer, repository: str, body: bytes) -> None:
    """Malformed JSON is one error about the whole body."""
    answer = _post(server, repository, body)

    (only,) = answer.json()["errors"]
    assert (422, "body", "") == (answer.status_code, only["in"], only["name"])
    assert "is not valid JSON" in only["message"]


@pytest.mark.parametrize("body", [b"{}", b"null", b"1", b'"text"', b"true", b'{"events": []}'])
def test_bodies_that_are_not_arrays(server: LiveServer, repository: str, body: bytes) -> None:
    """A delivery must be an array."""
    answer = _post(server, repository, body)

    assert (422, invalid(error("body", "", "the body must be a JSON array of events"))) == (
        answer.status_code,
        answer.json(),
    )


@pytest.mark.parametrize("body", [b"[[]]", b"[null]", b"[1]", b'["text"]', b"[true]"])
def test_items_that_are_not_objects(server: LiveServer, repository: str, body: bytes) -> None:
    """Each item must be an object."""
    answer = _post(server, repository, body)

    assert (422, invalid(error("body", "/0", "must be an object: an event"))) == (
        answer.status_code,
        answer.json(),
    )


def test_an_empty_delivery(server: LiveServer, repository: str) -> None:
    """It succeeds, and does not make the repository known."""
    answers = [_post(server, repository, b"[]"), _post(server, repository, b"\n\r\n \n", _LINES)]

    assert [{"stored": 0, "duplicates": 0}] * 2 == [answer.json() for answer in answers]
    assert 404 == server.http.get(f"/v1/repos/{repository}/stats/queues").status_code


@pytest.mark.parametrize("type", [_LINES, "Application/X-NDJSON", f"{_LINES}; charset=utf-8"])
def test_ndjson(server: LiveServer, repository: str, type: str) -> None:
    """One event per line; blank lines and carriage returns are ignored."""
    body = _lines(worked_example()).replace(b"\n", b"\r\n\n") + b"\n"

    assert {"stored": 12, "duplicates": 0} == _post(server, repository, body, type).json()


def test_invalid_ndjson_lines(server: LiveServer, repository: str) -> None:
    """The response lists every invalid line and the errors of valid lines; nothing is stored."""
    event = entered("2026-03-02T10:00:00Z", "s", 1)
    body = b"\n".join([b"nonsense", _lines([event]), b'{"id":', _lines([{**event, "id": ""}])])

    answer = _post(server, repository, body, _LINES)

    assert 422 == answer.status_code
    assert ["/0", "/2", "/3/id"] == [one["name"] for one in answer.json()["errors"]]
    assert 404 == server.http.get(f"/v1/repos/{repository}/events").status_code


@pytest.mark.parametrize("type", [_JSON, "APPLICATION/JSON", f"{_JSON};charset=UTF-8", f"{_JSON} ; a=b"])
def test_accepted_media_types(server: LiveServer, repository: str, type: str) -> None:
    """Case and parameters do not matter."""
    assert 200 == _post(server, repository, b"[]", type).status_code


@pytest.mark.parametrize(
    ("type", "shown"),
    [
        ("text/plain", "text/plain"),
        ("", "nothing"),
        ("application/jsonx", "application/jsonx"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("application/json, text/plain", "application/json, text/plain"),
    ],
)
def test_unsupported_media_types(server: LiveServer, repository: str, type: str, shown: str) -> None:
    """The server responds with 415 and lists the supported types."""
    answer = _post(server, repository, b"[]", type)

    detail = f"the body must be of type application/json or application/x-ndjson; got {shown}"
    assert (415, problem(415, detail)) == (answer.status_code, answer.json())


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "zstd", "gzip;q=1"])
def test_unsupported_encodings(server: LiveServer, repository: str, encoding: str) -> None:
    """The server responds with 415 and names the supported encoding."""
    answer = _post(server, repository, b"[]", encoding=encoding)

    detail = f"the body may be encoded as gzip or not at all; got {encoding}"
    assert (415, problem(415, detail)) == (answer.status_code, answer.json())


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", " gzip "])
def test_gzip(server: LiveServer, repository: str, encoding: str) -> None:
    """One or several gzip members decompress into one body."""
    body = msgspec.json.encode(worked_example())

    one = _post(server, repository, _packed(body), encoding=encoding.strip())
    several = _post(server, repository, _packed(body[:100], b"", body[100:]), encoding=encoding.strip())

    assert {"stored": 12, "duplicates": 0} == one.json()
    assert {"stored": 0, "duplicates": 12} == several.json()


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", _packed(b"[]")[:-1], _packed(b"[]")[:-8], _packed(b"[]")[:5], _packed(b"[]") + b"rest",
     _packed(b"[]")[:-8] + bytes(8), _packed(b"[]") + _packed(b" ")[:-1]],
    ids=["nothing", "not packed", "cut by 1", "cut by 8", "cut head", "rest", "wrong checksum", "cut second"],
)  # fmt: skip
def test_invalid_gzip(server: LiveServer, repository: str, body: bytes) -> None:
    """A body that cannot be decompressed is an error about the body."""
    answer = _post(server, repository, body, encoding="gzip")

    assert (422, _BAD_GZIP) == (answer.status_code, answer.json())


@pytest.mark.parametrize("type", [_JSON, _LINES])
def test_the_largest_body(server: LiveServer, repository: str, type: str) -> None:
    """The server accepts 32 MiB, compressed or not, and rejects one byte more."""
    event = msgspec.json.encode(entered("2026-03-02T10:00:00Z", "s", 1, id="large"))
    body = (b"[" + event + b"]" if type == _JSON else event).ljust(_LIMIT)

    plain, packed = (
        _post(server, repository, body, type),
        _post(server, repository, _packed(body), type, "gzip"),
    )
    more = _post(server, repository, body + b" ", type)
    packed_more = _post(server, repository, _packed(body, b" "), type, "gzip")

    assert ({"stored": 1, "duplicates": 0}, {"stored": 0, "duplicates": 1}) == (plain.json(), packed.json())
    assert [(413, _TOO_LARGE)] * 2 == [(one.status_code, one.json()) for one in (more, packed_more)]


def test_ten_thousand_events(server: LiveServer, repository: str) -> None:
    """The server accepts 10,000 events in either format, and rejects one more."""
    events = [entered("2026-03-02T10:00:00Z", f"s{number}", number) for number in range(10_001)]

    refused = [
        _post(server, repository, msgspec.json.encode(events)),
        _post(server, repository, _lines(events), _LINES),
    ]
    taken = _post(server, repository, _lines(events[:-1]), _LINES)

    assert [(422, _TOO_MANY)] * 2 == [(one.status_code, one.json()) for one in refused]
    assert {"stored": 10_000, "duplicates": 0} == taken.json()


def test_text_with_many_brackets(server: LiveServer, repository: str) -> None:
    """Brackets and quotes inside names do not count as events."""
    events = [entered("2026-03-02T10:00:00Z", '[{"\\' * 50, number) for number in range(1000)]

    assert {"stored": 1000, "duplicates": 0} == server.send(events, repository).json()
