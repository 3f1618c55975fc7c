"""The answers to thousands of wrong requests stay the same, byte for byte.

`golden/refusals.json` has for each endpoint how many requests got which status, and a digest of the answers.
If a digest differs, the test names a file with all requests and answers. Run it on the commit before the
change too, and compare the two files. If the new answers are right, run

    UPDATE_GOLDEN=1 .venv/bin/pytest tests/api/test_refused_requests.py
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from api.recorded_pulls import Clock
from api.refused_requests import SECRET, Sent, wrong_requests
from builders import worked_example
from live_server import TOKEN, LiveServer, live_server
from mergecast.access.webhook_secrets import WebhookSecret

pytestmark = pytest.mark.thorough

_GOLDEN = Path(__file__).parent / "golden" / "refusals.json"


def test_refusals_stay_the_same(tmp_path: Path) -> None:
    """Of accepted requests, only the status is compared: keys and codes differ in every run."""
    secrets = (WebhookSecret(SECRET.encode()),)
    with live_server(tmp_path / "data", now=Clock(), webhook_secrets=secrets) as server:
        server.send(worked_example()).raise_for_status()
        answers = list(_answers(server))
    (tmp_path / "answers.txt").write_text("\n".join(map(str, answers)), encoding="utf-8")
    found = _summary(answers)
    if os.environ.get("UPDATE_GOLDEN"):
        _GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")

    assert sum(answer[1] >= 400 for answer in answers) > 3000
    assert json.loads(_GOLDEN.read_text(encoding="utf-8")) == found, tmp_path / "answers.txt"


def _answers(server: LiveServer) -> Iterator[tuple[Sent, int, bytes]]:
    description = server.http.get("/v1/openapi.json").json()
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=600)
    for sent in wrong_requests(description):
        headers = {"Authorization": f"Bearer {TOKEN}", **sent.headers}
        connection.request(sent.method, sent.target, sent.body, headers)
        answer = connection.getresponse()
        body = answer.read()
        yield sent, answer.status, body if answer.status >= 400 else b""
    connection.close()


def _summary(answers: list[tuple[Sent, int, bytes]]) -> dict[str, Any]:
    by_endpoint: dict[str, list[tuple[int, bytes]]] = {}
    for sent, status, body in answers:
        by_endpoint.setdefault(sent.endpoint, []).append((status, body))
    return {
        endpoint: {
            "statuses": {str(status): count for status, count in sorted(_statuses(given).items())},
            "digest": blake2b(repr(given).encode(), digest_size=16).hexdigest(),
        }
        for endpoint, given in by_endpoint.items()
    }


def _statuses(answers: list[tuple[int, bytes]]) -> Counter[int]:
    return Counter(status for status, _ in answers)
