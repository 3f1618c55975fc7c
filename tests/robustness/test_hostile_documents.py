"""Documents that hurt cost a child process at most: never the server, nor the time of others."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import httpx
import msgspec
import pytest

from builders import worked_example
from robustness.delivery_stream import REPOSITORY
from robustness.hostile_documents import HOSTILE_DOCUMENTS, MOST, SLEEPING_DOCUMENTS
from robustness.judge_children import children, watched_children
from robustness.server_process import TOKEN, ServerProcess, server_process

pytestmark = pytest.mark.alone

_ATTACKERS = Path(__file__).parent / "document_attack.py"
_SECONDS = 5.0
_MEMORY = 300 << 20
_SLOW, _LARGE = "a template of many names", "a megabyte of [],"
_ATTACK = (
    _SLOW, "deprecations", "a template that repeats", "characters outside the basic plane", "misspelt fields",
    _LARGE,
)  # fmt: skip
_ROUNDS = 3
_ATTEMPTS = 3  # others may keep the machine busy for a while
_ROUND_SECONDS = 2.0
# What the system may keep any process waiting for, without anybody's error.
_FLOOR_SECONDS = 0.015


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("hostile")) as started:
        with started.client() as http:
            http.post(f"{REPOSITORY}/events", json=worked_example()).raise_for_status()
            assert 200 == _send(http, "").status_code
        yield started


def _body(text: str) -> bytes:
    return msgspec.json.encode({"config_yml": text})


def _send(http: httpx.Client, text: str) -> httpx.Response:
    return http.post(
        f"{REPOSITORY}/configuration-simulator",
        content=_body(text),
        headers={"Content-Type": "application/json"},
    )


def _send_when_there_is_time(http: httpx.Client, text: str) -> tuple[httpx.Response, float]:
    """The answer and how long it took, on a machine that does not starve the child meanwhile."""
    for _ in range(5):
        begun = time.monotonic()
        answer = _send(http, text)
        taken = time.monotonic() - begun
        if answer.status_code != 503:
            return answer, taken
        assert "the machine is too busy to read the document in time" == answer.json()["detail"]
    pytest.skip("the machine is too busy: other programs starve the child")


@pytest.mark.parametrize("name", HOSTILE_DOCUMENTS)
def test_a_hostile_document(server: ServerProcess, name: str) -> None:
    """It is refused within five seconds and 300 MiB, with a reason."""
    text = HOSTILE_DOCUMENTS[name]()
    assert len(text) <= MOST

    with server.client() as http, watched_children(server) as memory:
        answer, taken = _send_when_there_is_time(http, text)

    assert (422, "application/problem+json") == (answer.status_code, answer.headers["content-type"])
    assert all(error["name"] == "/config_yml" and error["message"] for error in answer.json()["errors"])
    assert taken < _SECONDS
    assert max(memory.values(), default=0) <= _MEMORY


@pytest.mark.parametrize("name", SLEEPING_DOCUMENTS)
def test_a_document_that_is_hostile_to_who_evaluates_it(server: ServerProcess, name: str) -> None:
    """It is read within the same limits."""
    text = SLEEPING_DOCUMENTS[name]()

    with server.client() as http, watched_children(server) as memory:
        answer, taken = _send_when_there_is_time(http, text)

    assert answer.status_code in (200, 422)
    assert taken < _SECONDS
    assert max(memory.values(), default=0) <= _MEMORY


def test_other_requests_during_an_attack(server: ServerProcess) -> None:
    """The slowest statistics answer takes at most three times as long as without the attack."""
    ask = _Asking(server)
    ask.slowest(_ROUND_SECONDS)
    measured: list[tuple[float, float]] = []
    while len(measured) < _ATTEMPTS:
        measured.append(_quiet_and_attacked(server, ask))
        quiet, attacked = measured[-1]
        if attacked <= 3 * max(quiet, _FLOOR_SECONDS):
            return
    pytest.fail(f"slowest answers without and with an attack, in seconds: {measured}")


def _quiet_and_attacked(server: ServerProcess, ask: "_Asking") -> tuple[float, float]:
    """The slowest answer of a usual round without and with an attack; the rounds take turns."""
    quiet: list[float] = []
    attacked: list[float] = []
    for _ in range(_ROUNDS):
        quiet.append(ask.slowest(_ROUND_SECONDS))
        with _attack(server) as statuses:
            attacked.append(ask.slowest(_ROUND_SECONDS))
        assert {200, 422, 503} >= statuses
    return statistics.median(quiet), statistics.median(attacked)


def test_too_many_at_once(server: ServerProcess) -> None:
    """Beyond a bounded queue a document is turned away, to be sent again; the others are judged."""
    with _attack(server, 25, (_LARGE,)) as statuses, server.client() as http:
        turned_away = _send_until_turned_away(http)

    assert (503, "5") == (turned_away.status_code, turned_away.headers["retry-after"])
    assert "too many documents are waiting to be read; try again in a moment" == turned_away.json()["detail"]
    assert {422, 503} == statuses


def _send_until_turned_away(http: httpx.Client) -> httpx.Response:
    """Whoever gets one of the places hangs up, and asks again."""
    http.timeout = httpx.Timeout(0.5)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with suppress(httpx.ReadTimeout):
            answer = _send(http, "")
            if answer.status_code == 503:
                return answer
    raise AssertionError("nobody was turned away")


def test_who_hangs_up_gives_up_the_place(server: ServerProcess) -> None:
    """Questions that nobody waits for are not asked: the next one comes after those that had begun."""
    path, body = f"{REPOSITORY}/configuration-simulator", {"config_yml": HOSTILE_DOCUMENTS[_SLOW]()}
    for _ in range(12):
        with server.client() as http, pytest.raises(httpx.ReadTimeout):
            http.post(path, json=body, timeout=0.3)
    begun = time.monotonic()

    with server.client() as http:
        assert 200 == _send(http, "").status_code

    assert time.monotonic() - begun < 12  # two at a time, four seconds each: all of them would take 24


def test_the_server_is_well_afterwards(server: ServerProcess) -> None:
    """It judges as ever, has two children and no dead ones, and has logged no error."""
    with server.client() as http:
        judged = _send(http, "queue_rules: [{name: default}]")
    _wait_for_two_children(server)

    assert (200, "The configuration is valid") == (judged.status_code, judged.json()["message"])
    assert "Traceback" not in server.logged()


def test_the_end_of_the_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Killed in the middle of a document, or told to stop, it leaves no child behind."""
    for ending in ("kill", "terminate"):
        with server_process(tmp_path_factory.mktemp("ending")) as server:
            with server.client() as http:
                assert 404 == _send(http, "").status_code
            with _attack(server, 2, (_SLOW,)):
                time.sleep(0.3)
                left = children(server)
                assert 2 == len(left)
                getattr(server, ending)()
                server.process.wait(timeout=15)
            deadline = time.monotonic() + 5
            while any(_is_alive(pid) for pid in left) and time.monotonic() < deadline:
                time.sleep(0.01)

            assert [] == [pid for pid in left if _is_alive(pid)], ending


class _Asking:
    """A client of statistics whose every question is new, so that no remembered answer serves."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._numbers = count(1)

    def slowest(self, seconds: float) -> float:
        slowest = 0.0
        with self._server.client() as http:
            http.get("/healthz")
            deadline = time.monotonic() + seconds
            while (begun := time.monotonic()) < deadline:
                end = f"2026-03-03T00:00:00.{next(self._numbers):06}Z"
                window = {"start_at": "2026-03-02T00:00:00Z", "end_at": end}
                http.get(f"{REPOSITORY}/stats/queue_size", params=window).raise_for_status()
                slowest = max(slowest, time.monotonic() - begun)
        return slowest


@contextmanager
def _attack(server: ServerProcess, clients: int = 3, names: tuple[str, ...] = _ATTACK) -> Iterator[set[int]]:
    """Clients that send hostile documents without pause, and in the end the statuses of their answers.

    They are a process of their own: what they have to do is not to hold up the client that is measured.
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


def _wait_for_two_children(server: ServerProcess) -> None:
    deadline = time.monotonic() + 10
    while len(children(server)) != 2:
        assert time.monotonic() < deadline, children(server)
        time.sleep(0.02)
    assert all(_is_alive(pid) for pid in children(server))


def _is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
