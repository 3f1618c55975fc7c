"""The configuration simulator: it validates candidate documents."""

import gzip
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from api.problem_documents import error, invalid, problem, unknown_repository
from live_server import LiveServer, live_server
from local_client import get, request

_VALID = "The configuration is valid"
_QUEUE = "queue_rules: [{name: default}]\n"
_SECTIONS = """\
merge_protections: [{name: a, if: [], success_conditions: [draft]}]
merge_queue: {}
priority_rules: []
pull_request_rules: [{name: a, conditions: [], actions: {}}]
queue_rules: [{name: default}]
"""
_PATH = "/v1/repos/acme/widgets/configuration-simulator"
_LONGEST = 1_048_576


def _simulate(server: LiveServer, text: str, path: str = _PATH, field: str = "config_yml") -> httpx.Response:
    return server.http.post(path, json={field: text})


def _answer(response: httpx.Response) -> tuple[int, Any]:
    return response.status_code, response.json()


@pytest.mark.parametrize("field", ["config_yml", "mergify_yml"])
@pytest.mark.parametrize(
    "text", ["", "# nothing", "{}", _QUEUE, _QUEUE.replace("\n", "\r\n"), f"\ufeff{_QUEUE}"]
)
def test_a_valid_document(server: LiveServer, field: str, text: str) -> None:
    """The response says nothing about products that were never set."""
    assert (200, {"message": _VALID, "deprecations": [], "unused_sections": None}) == _answer(
        _simulate(server, text, field=field)
    )


@pytest.mark.parametrize("field", ["config_yml", "mergify_yml"])
def test_one_error(server: LiveServer, field: str) -> None:
    """The message says what is wrong and where, and the error names the field of the request."""
    answer = _simulate(server, "queue_rules:\n  - name: default\n    batch_size: 0\n", field=field)

    message = "Input should be greater than or equal to 1, found the number 0"
    entry = {
        "in": "body",
        "name": f"/{field}",
        "message": message,
        "path": ["queue_rules", "0", "batch_size"],
        "line": 3,
        "column": 17,
    }
    detail = f"{message} @ root → queue_rules → item 0 → batch_size"
    assert (422, problem(422, detail, errors=[entry])) == _answer(answer)
    assert "application/problem+json" == answer.headers["content-type"]


def test_several_errors(server: LiveServer) -> None:
    """Each has its own line, in the order of the document."""
    status, document = _answer(_simulate(server, "queue_rules:\n  - batch_size: 0\n    nme: default\n"))

    lines = document["detail"].split("\n")
    assert 422 == status
    assert all(line.startswith("* ") for line in lines)
    assert [line[2:].partition(" @ ")[0] for line in lines] == [one["message"] for one in document["errors"]]
    places = [(one["line"], one["column"]) for one in document["errors"]]
    assert 3 == len(places)
    assert sorted(places) == places


def test_malformed_yaml(server: LiveServer) -> None:
    """The error has a line and a column."""
    status, document = _answer(_simulate(server, "queue_rules: [\n"))

    (entry,) = document["errors"]
    assert (422, [], 2, 1) == (status, entry["path"], entry["line"], entry["column"])
    assert document["detail"].startswith("Invalid YAML @ line 2, column 1: ")


def test_very_many_errors(server: LiveServer) -> None:
    """The first hundred are listed, the others counted."""
    _, document = _answer(_simulate(server, "".join(f"unknown_{n}: 1\n" for n in range(250))))

    assert (100, 150) == (len(document["errors"]), document["more_errors"])
    assert "* and 150 more" == document["detail"].split("\n")[-1]


def test_a_deprecation(server: LiveServer) -> None:
    """The message names the deadline and the path of the field."""
    text = "queue_rules:\n  - name: default\n    conditions: [check-success = build]\n"

    status, document = _answer(_simulate(server, text))

    (deprecation,) = document["deprecations"]
    assert (200, _VALID) == (status, document["message"])
    assert {"message", "deadline", "path_to_field"} == deprecation.keys()
    assert ("2027-03-31", ["queue_rules", "0", "conditions"]) == (
        deprecation["deadline"],
        deprecation["path_to_field"],
    )


def test_a_note(server: LiveServer) -> None:
    """A note about parts that were not checked follows the message."""
    _, document = _answer(_simulate(server, "extends: template\n"))

    first, note = document["message"].split("\n")
    assert _VALID == first
    assert note.startswith("* ")
    assert "template" in note


@pytest.mark.parametrize(
    ("products", "unused"),
    [
        ([], ["pull_request_rules", "queue_rules", "merge_protections"]),
        (["merge_queue"], ["pull_request_rules", "merge_protections"]),
        (["workflow_automation", "merge_queue", "merge_protections"], []),
    ],
)
def test_unused_sections(server: LiveServer, repository: str, products: list[str], unused: list[str]) -> None:
    """Sections with content whose product is disabled, in the order of the language reference."""
    server.http.put(f"/v1/repos/{repository}/products", json={"products": products}).raise_for_status()

    answer = _simulate(server, _SECTIONS, f"/v1/repos/{repository.upper()}/configuration-simulator").json()

    assert unused == [one["section"] for one in answer["unused_sections"]]
    for one in answer["unused_sections"]:
        url = f"{server.url}/repos/{repository}/products?enable={one['product']}"
        assert {"section", "product", "product_name", "product_url"} == one.keys()
        assert (url, one["product"].replace("_", " ").title()) == (one["product_url"], one["product_name"])
        assert 200 == get(url, follow_redirects=True).status_code


@pytest.mark.parametrize("slash", ["", "/"])
def test_the_link_to_the_page_behind_a_proxy(tmp_path: Path, slash: str) -> None:
    """It starts with the public address, which the proxy forwards to this server."""
    public = f"https://queue.example/stats{slash}"
    with live_server(tmp_path, prefix="/stats", public_url=public) as server:
        path = "/stats/v1/repos/acme/below"
        server.http.put(f"{path}/products", json={"products": []}).raise_for_status()
        (unused,) = _simulate(server, _QUEUE, f"{path}/configuration-simulator").json()["unused_sections"]
        page = urlsplit(unused["product_url"])

        assert (
            "https://queue.example/stats/repos/acme/below/products?enable=merge_queue"
            == unused["product_url"]
        )
        assert 200 == get(f"{server.url}{page.path}?{page.query}", follow_redirects=True).status_code


def test_an_unknown_repository(server: LiveServer, repository: str) -> None:
    """An error of the document is reported first; a product setting makes a repository known."""
    path = f"/v1/repos/{repository}/configuration-simulator"

    invalid_document, valid = _simulate(server, "x: 1", path), _simulate(server, _QUEUE, path)
    server.http.put(f"/v1/repos/{repository}/products", json={"products": []}).raise_for_status()

    assert 422 == invalid_document.status_code
    assert (404, unknown_repository(repository)) == _answer(valid)
    assert 200 == _simulate(server, _QUEUE, path).status_code


_NEAREST = "is not a field of this body, did you mean config_yml? It takes config_yml or mergify_yml"
_MISSING = "is missing; it holds the text of a configuration document"
_TEXT = "must be a string, the text of a document; got"
_ALIAS = "is another name for config_yml; give one of them"
_HALF = "the body is not valid JSON: half of a surrogate pair in a string"


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, [("/config_yml", _MISSING)]),
        (
            {"config_yml": "", "mergify_yml": ""},
            [("/mergify_yml", _ALIAS)],
        ),
        ({"config_yml": None}, [("/config_yml", f"{_TEXT} null")]),
        ({"config_yml": {"queue_rules": []}}, [("/config_yml", f"{_TEXT} an object")]),
        ({"mergify_yml": ["a"]}, [("/mergify_yml", f"{_TEXT} a list")]),
        ({"config_yml": 1}, [("/config_yml", f"{_TEXT} a number")]),
        ({"config_yml": True}, [("/config_yml", f"{_TEXT} true")]),
        (
            {"config_yaml": ""},
            [
                (
                    "/config_yaml",
                    _NEAREST,
                )
            ],
        ),
        (
            {"config_yml": "", "zzz": 1},
            [("/zzz", "is not a field of this body; it takes config_yml or mergify_yml")],
        ),
    ],
    ids=lambda value: str(value)[:60],
)
def test_bodies_without_a_document(server: LiveServer, body: object, errors: list[tuple[str, str]]) -> None:
    """They are rejected, and each error names its field."""
    answer = server.http.post(_PATH, json=body)

    assert (422, invalid(*(error("body", *one) for one in errors))) == _answer(answer)


_LONG = b"\\u0023" * 300_000  # longer than a body that the server decodes itself
_OBJECT = "the body must be a JSON object with the field config_yml"
_UNKNOWN = "is not a field of this body; it takes config_yml or mergify_yml"


@pytest.mark.parametrize(
    ("body", "pointer", "message"),
    [
        (b'["%b"]', "", _OBJECT),
        (b'{"config_yml": "%b"', "", "the body is not valid JSON: Input data was truncated"),
        (b'{"config_yml": "%b\\ud800"}', "", _HALF),
        (b'{"config_yaml": "%b"}', "", "the body holds far more than the field config_yml or mergify_yml"),
        (b'{"config_yml": "%b\xff"}', "/config_yml", "is not UTF-8"),
        (b'{"mergify_yml": ["%b"]}', "/mergify_yml", f"{_TEXT} a list"),
        (b'{"config_yml": "%b", "mergify_yml": ""}', "/mergify_yml", _ALIAS),
        (b'{"zzz": 1, "config_yml": "%b"}', "/zzz", _UNKNOWN),
    ],
)  # fmt: skip
def test_long_bodies_without_a_document(server: LiveServer, body: bytes, pointer: str, message: str) -> None:
    """A child checks them, and the messages are the same."""
    answer = server.http.post(
        _PATH, content=body.replace(b"%b", _LONG), headers={"Content-Type": "application/json"}
    )

    assert (422, invalid(error("body", pointer, message))) == _answer(answer)


def test_an_error_in_a_long_body(server: LiveServer) -> None:
    """It names the field that holds the document, wherever that is in the body."""
    body = b' { "mergify_yml" : "%b\\nx: 1" } ' % _LONG

    status, document = _answer(
        server.http.post(_PATH, content=body, headers={"Content-Type": "application/json"})
    )

    assert 422 == status
    assert [("/mergify_yml", 2)] == [(one["name"], one["line"]) for one in document["errors"]]


def test_lone_surrogates(server: LiveServer) -> None:
    """They are not valid text; escaped pairs in JSON are."""
    *halves, whole = (
        server.http.post(
            _PATH, content=f'{{"config_yml": "# {text}"}}', headers={"Content-Type": "application/json"}
        )
        for text in ("\\ud800", "\\uDC00", "\\ud83dx\\ude00", "\\ud83d\\ude00")
    )

    assert [(422, invalid(error("body", "", _HALF)))] * 3 == list(map(_answer, halves))
    assert 200 == whole.status_code


def test_the_longest_document(server: LiveServer) -> None:
    """The server accepts 1,048,576 characters, even if each of them takes twelve bytes."""
    text = "#" + "😀" * (_LONGEST - 1)
    body = json.dumps({"config_yml": text}).encode()
    headers = {"Content-Type": "application/json"}

    plain = server.http.post(_PATH, content=body, headers=headers)
    packed = server.http.post(
        _PATH, content=gzip.compress(body, 1), headers={**headers, "Content-Encoding": "gzip"}
    )

    assert len(body) > 12_000_000
    assert [200, 200] == [plain.status_code, packed.status_code]


@pytest.mark.parametrize("text", ["#" * (_LONGEST + 1), "#" + "😀" * _LONGEST])
def test_a_document_that_is_too_long(server: LiveServer, text: str) -> None:
    """One character more is rejected."""
    status, document = _answer(_simulate(server, text))

    message = "a document may have at most 1,048,576 characters; this one has 1,048,577"
    place = {"path": [], "line": 1, "column": 1}
    entry = {"in": "body", "name": "/config_yml", "message": message, **place}
    assert (422, problem(422, message, errors=[entry])) == (status, document)


def test_a_document_that_is_not_utf_8(server: LiveServer) -> None:
    """It is rejected, even if YAML could read it."""
    answer = server.http.post(
        _PATH, content=b'{"config_yml": "# \xff"}', headers={"Content-Type": "application/json"}
    )

    assert (422, invalid(error("body", "/config_yml", "is not UTF-8"))) == _answer(answer)


def test_bodies_that_are_too_large(server: LiveServer) -> None:
    """The limit is 13 MiB, compressed or not, with or without Content-Length."""
    body = b'{"config_yml": "' + b"x" * (13 << 20) + b'"}'
    headers = {"Content-Type": "application/json"}

    answers = [
        server.http.post(_PATH, content=body, headers=headers),
        server.http.post(_PATH, content=iter([body[:100], body[100:]]), headers=headers),
        server.http.post(
            _PATH, content=gzip.compress(body, 1), headers={**headers, "Content-Encoding": "gzip"}
        ),
    ]

    assert [(413, problem(413, "the body may be at most 13 MiB, decompressed"))] * 3 == list(
        map(_answer, answers)
    )


def test_unsupported_media_types(server: LiveServer) -> None:
    """The body must be JSON, whatever the document is."""
    answer = server.http.post(_PATH, content=_QUEUE, headers={"Content-Type": "application/yaml"})

    assert (
        415,
        problem(415, "the body must be of type application/json; got application/yaml"),
    ) == _answer(answer)


def test_other_methods_and_queries(server: LiveServer) -> None:
    """The path supports no GET, and takes no parameters."""
    assert (405, "POST") == (server.http.get(_PATH).status_code, server.http.get(_PATH).headers["allow"])
    assert 422 == _simulate(server, _QUEUE, f"{_PATH}?x=1").status_code
    assert 403 == request("POST", f"{server.url}{_PATH}", json={"config_yml": ""}).status_code


def test_documents_are_counted(server: LiveServer) -> None:
    """Metrics count them by result."""
    before = _counted(server)
    for text in ("", "", "[", "queue_rules: 1"):
        _simulate(server, text)
    after = _counted(server)

    assert {"valid": 2.0, "invalid": 2.0} == {
        name: after[name] - before.get(name, 0) for name in ("valid", "invalid")
    }


def _counted(server: LiveServer) -> dict[str, float]:
    name = "mergecast_judged_documents_total{result="
    lines = [line for line in server.http.get("/metrics").text.splitlines() if line.startswith(name)]
    return {line.split('"')[1]: float(line.split()[-1]) for line in lines}


def test_the_schema(server: LiveServer) -> None:
    """It is public, and supports conditional requests."""
    url = f"{server.url}/v1/configuration-schema.json"

    answer = get(url)
    again = get(url, headers={"If-None-Match": answer.headers["etag"]})

    assert (200, "application/schema+json", "public, max-age=300") == (
        answer.status_code,
        answer.headers["content-type"],
        answer.headers["cache-control"],
    )
    assert "queue_rules" in answer.json()["properties"]
    assert (304, b"") == (again.status_code, again.content)
    assert (200, b"") == (request("HEAD", url).status_code, request("HEAD", url).content)
