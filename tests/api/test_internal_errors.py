"""Internal errors: the response has an id for the report, and nothing else."""

import asyncio
import json
from pathlib import Path

import pytest
from starlette.responses import Response

from asgi import UNDESCRIBED, Answer, ask
from live_server import NO_LIMITS, TOKEN
from logged_secrets import logged
from mergecast.access.rights import Right
from mergecast.api.application import Application
from mergecast.api.routing import Handler, Route
from mergecast.app import Serving, services_of
from mergecast.process.logs import log_as_json
from mergecast.queues.store.opening import open_store


async def _break(_: object, __: object) -> Response:
    raise RuntimeError("select secret from /etc/shadow")


async def _need_too_much(_: object, __: object) -> Response:
    raise MemoryError


@pytest.fixture
def answer(tmp_path: Path) -> Answer:
    """The response of a handler that raises an unexpected exception."""
    return _answer(tmp_path, _break)


def _answer(tmp_path: Path, handler: Handler) -> Answer:
    log_as_json()
    database = open_store(tmp_path)
    serving = Serving(tmp_path, TOKEN, "127.0.0.1", 0, log_requests=False, policy=NO_LIMITS)
    services = services_of(database, serving, "", lambda: False)
    application = Application(services, [Route("GET", "/v1/broken", Right.OPERATE, handler, UNDESCRIBED)])
    try:
        return asyncio.run(ask(application, "GET", "/v1/broken", TOKEN))
    finally:
        database.close()


def test_the_answer_has_an_id_and_no_details(answer: Answer) -> None:
    """It has no message, no traceback and no path."""
    document = json.loads(answer.body)

    expected = {
        "type": "about:blank",
        "title": "Internal server error",
        "status": 500,
        "detail": f"internal error; please report it with id {document['id']}",
        "id": document["id"],
    }
    assert (500, b"application/problem+json") == (answer.status, answer.headers[b"content-type"])
    assert expected == document


def test_the_id_is_in_the_log_with_the_error(answer: Answer) -> None:
    """An engineer can find the error by the id that a user reports."""
    id = json.loads(answer.body)["id"]

    (line,) = [json.loads(line) for line in logged().splitlines() if f'"{id}"' in line]

    assert ("internal error", "error") == (line["event"], line["level"])
    assert "RuntimeError: select secret from /etc/shadow" in line["exception"]


def test_too_little_memory_is_announced(tmp_path: Path) -> None:
    """The same request may succeed once others have ended."""
    answer = _answer(tmp_path, _need_too_much)

    detail = "the server has too little memory for this now; try again later"
    assert (503, detail) == (answer.status, json.loads(answer.body)["detail"])
    assert b"5" == answer.headers[b"retry-after"]
