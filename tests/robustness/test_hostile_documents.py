"""A hostile document costs at most a child process; the server and other clients are not affected."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from builders import worked_example
from mergecast.judge.limits import DOCUMENT_LIMITS
from robustness.answers_beside import MANY, answers_beside
from robustness.delivery_stream import REPOSITORY
from robustness.hostile_documents import HOSTILE_DOCUMENTS, MOST, SLEEPING_DOCUMENTS
from robustness.judge_children import children, cpu_time_of_children, fork_servers, watched_children
from robustness.server_process import TOKEN, ServerProcess, server_process
from waiting import MOST_SECONDS, wait_until

_ATTACKERS = Path(__file__).parent / "document_attack.py"
_MEMORY = 300 << 20
_EMPTY_CHILD = 20 << 20
_SLOW, _LARGE = "a template of many names", "a megabyte of [],"
_BRIEF = "a huge sexagesimal"  # takes a tenth of a second: a full queue is empty soon
_ATTACK = (
    _SLOW, "deprecations", "a template that repeats", "characters outside the basic plane", "misspelt fields",
    _LARGE,
)  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("hostile"), children_at_start=1) as started:
        with started.client() as http:
            http.post(f"{REPOSITORY}/events", json=worked_example()).raise_for_status()
            assert 200 == _send(http, "").status_code
        with watched_children(started) as memory:
            pass
        assert _EMPTY_CHILD < max(memory.values()), "the memory of children is not seen"
        yield started
        assert "Traceback" not in started.logged()


def _body(text: str) -> bytes:
    return msgspec.json.encode({"config_yml": text})


def _send(http: httpx.Client, text: str) -> httpx.Response:
    return http.post(
        f"{REPOSITORY}/configuration-simulator",
        content=_body(text),
        headers={"Content-Type": "application/json"},
    )


def _judged(server: ServerProcess, text: str) -> httpx.Response:
    """The response to a document; none makes a child use more than 300 MiB."""
    assert len(text) <= MOST
    with watched_children(server) as memory, server.client() as http:
        answer = _send(http, text)
    assert max(memory.values(), default=0) <= _MEMORY
    return answer


@pytest.mark.parametrize("name", HOSTILE_DOCUMENTS)
def test_a_hostile_document(server: ServerProcess, name: str) -> None:
    """The server rejects it with a reason."""
    answer = _judged(server, HOSTILE_DOCUMENTS[name]())

    assert (422, "application/problem+json") == (answer.status_code, answer.headers["content-type"])
    errors = answer.json()["errors"]
    assert errors
    assert all(error["name"] == "/config_yml" and error["message"] for error in errors)


@pytest.mark.parametrize("name", SLEEPING_DOCUMENTS)
def test_a_document_that_is_expensive_to_evaluate(server: ServerProcess, name: str) -> None:
    """The server reads it, which evaluates nothing."""
    assert _judged(server, SLEEPING_DOCUMENTS[name]()).status_code == 200


def test_other_requests_during_an_attack(server: ServerProcess) -> None:
    """While one slow document is read, next to an attack, statistics are answered many times."""

    def ask(http: httpx.Client, number: int) -> None:
        # No query is repeated, so that the cache answers none.
        window = {"start_at": "2026-03-02T00:00:00Z", "end_at": f"2026-03-03T00:00:00.{number:06}Z"}
        http.get(f"{REPOSITORY}/stats/queue_size", params=window).raise_for_status()

    def read_slowly() -> None:
        with server.client() as http:
            assert 422 == _send(http, HOSTILE_DOCUMENTS[_SLOW]()).status_code

    with _attack(server) as statuses:
        answers = answers_beside(server, ask, read_slowly)

    assert answers >= MANY
    assert set() < statuses <= {200, 422, 503}


def test_too_many_at_once(server: ServerProcess) -> None:
    """A document that does not fit into the queue gets 503 with Retry-After; the others are read."""
    with _attack(server, 25, (_BRIEF,)) as statuses, server.client() as http:
        turned_away = _send_until_turned_away(http)

    assert (503, "5") == (turned_away.status_code, turned_away.headers["retry-after"])
    assert "too many documents are waiting to be read; try again in a moment" == turned_away.json()["detail"]
    assert {422, 503} == statuses


def _send_until_turned_away(http: httpx.Client) -> httpx.Response:
    """Send until a response says that the queue is full."""

    def turned_away() -> httpx.Response | None:
        answer = _send(http, "")
        return answer if answer.status_code == 503 else None

    return wait_until(turned_away, "a refusal")


def test_disconnecting_frees_the_turn(server: ServerProcess) -> None:
    """Documents of clients that hung up are not read, except those already started."""
    text = HOSTILE_DOCUMENTS[_SLOW]()
    used_before = cpu_time_of_children(server)

    def hang_up() -> None:
        with server.client() as http:
            http.timeout = httpx.Timeout(600, read=0.3)
            with pytest.raises(httpx.ReadTimeout):
                _send(http, text)

    with ThreadPoolExecutor(12) as pool:
        for hung_up in [pool.submit(hang_up) for _ in range(12)]:
            hung_up.result()
    with server.client() as http:
        assert 200 == _send(http, "").status_code

    # Two are read at a time, and each uses up its CPU time.
    assert cpu_time_of_children(server) - used_before < 6 * DOCUMENT_LIMITS.deadline_seconds


def test_the_server_works_afterwards(server: ServerProcess) -> None:
    """The server still reads documents, has two live children, and has logged no error."""
    with server.client() as http:
        judged = _send(http, "queue_rules: [{name: default}]")
    # One that has used up its time for a document of an earlier test may just be ending.
    wait_until(lambda: [*map(_is_alive, children(server))] == [True, True], "two children that live")

    assert (200, "The configuration is valid") == (judged.status_code, judged.json()["message"])
    assert "Traceback" not in server.logged()


def test_a_child_is_ready_before_the_first_request(tmp_path: Path) -> None:
    """The server starts one at startup; the first simulation does not wait for it."""
    with server_process(tmp_path, children_at_start=1) as server:
        wait_until(lambda: len(children(server)) == 1, "the start of a child")


def test_no_child_outlives_the_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A server that is killed or stopped in the middle of a document leaves no child process behind."""
    for ending in ("kill", "terminate"):
        with server_process(tmp_path_factory.mktemp("ending")) as server:
            with server.client() as http:
                assert 404 == _send(http, "").status_code
            with _attack(server, 2, (_SLOW,)):
                wait_until(lambda: len(children(server)) == 2, "the start of two children")
                left = [*fork_servers(server), *children(server)]
                getattr(server, ending)()
                server.process.wait(timeout=MOST_SECONDS)
            wait_until(lambda: not any(map(_is_alive, left)), "the end of all children")  # noqa: B023


@contextmanager
def _attack(server: ServerProcess, clients: int = 3, names: tuple[str, ...] = _ATTACK) -> Iterator[set[int]]:
    """Send hostile documents continuously; collect the response statuses at the end.

    The attackers run in their own process, so that their work does not slow the measured client.
    """
    url = f"{server.url}{REPOSITORY}/configuration-simulator"
    command = [sys.executable, str(_ATTACKERS), url, TOKEN, str(clients), *names]
    statuses: set[int] = set()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as attackers:
        assert attackers.stdout is not None
        assert "ready\n" == attackers.stdout.readline()
        try:
            yield statuses
        finally:
            told, _ = attackers.communicate("\n")
            statuses |= set(map(int, told.split()))


def _is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
