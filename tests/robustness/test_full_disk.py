"""A full disk rejects deliveries and nothing else; ingest resumes without a restart once there is room."""

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from robustness.delivery_stream import DAY, REPOSITORY, delivery
from robustness.forked_process import ForkedProcess
from robustness.server_process import TOKEN, ServerProcess, server_process, wait_until_ready

_EVENTS = 2000
_MOST_DELIVERIES = 200
_REJECTIONS = 4  # after so many, one after the other, the disk is full
_FULL = {
    "type": "about:blank",
    "title": "Service unavailable",
    "status": 503,
    "detail": "the disk of the store is full; nothing was changed",
}

_DEGRADED = {
    "status": "degraded",
    "reason": "the disk of the store is full: nothing can be stored until there is room",
}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 40 MiB; skips the test where mounting is not permitted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"mounting a small file system is not permitted: {mounted.stderr.decode().strip()}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_file_system(small_disk: Path, tmp_path: Path) -> None:
    """A full file system leads to 503; ingest continues after other files are deleted."""
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(30 << 20))

    with server_process(small_disk, tmp_path) as server:
        _check_full_disk(server, ballast.unlink)


def test_a_limit_on_the_size_of_files(tmp_path: Path) -> None:
    """A file that cannot grow leads to 503; ingest continues after the limit is lifted."""
    with server_process(tmp_path) as server:
        _limit_files(server, 8 << 20)
        _check_full_disk(server, lambda: _limit_files(server, resource.RLIM_INFINITY))


def test_a_rebuild_on_a_full_file_system(small_disk: Path, tmp_path: Path) -> None:
    """A rebuild on a full disk is rejected like a delivery, and succeeds once there is room."""
    with server_process(small_disk, tmp_path) as server, server.client() as http:
        acknowledged = [n for n in range(1, 6) if _send(http, n).status_code == 200]
        with _no_room_left(small_disk):
            unused = http.get("/readyz")
            refusal = _rebuild(http)
            stored = _stored(http)
        rebuilt = _rebuild(http)

        assert _all_of(acknowledged) == stored
        assert 200 == rebuilt.status_code
        assert (200, _DEGRADED) == (unused.status_code, unused.json())
        _is_whole_refusal(refusal)
        assert "Traceback" not in server.logged()


def test_a_start_on_a_full_file_system(small_disk: Path, tmp_path: Path) -> None:
    """Without room for `server.json` the server starts, says so, and answers."""
    with server_process(small_disk, tmp_path) as server, server.client() as http:
        assert 200 == _send(http, 1).status_code
    command = ["serve", "--data-dir", str(server.folder), "--port", str(server.port)]
    environment = {**os.environ, "MERGECAST_ADMIN_TOKEN": TOKEN}
    with _no_room_left(small_disk), (tmp_path / "errors").open("wb") as errors:
        process = ForkedProcess(errors, command=command, environment=environment)
        try:
            with server.client() as http:
                wait_until_ready(process, server.url, (tmp_path / "errors").read_text)
                _reads_work(http)
                _is_whole_refusal(_send(http, 2))
                stored = _stored(http)
        finally:
            process.kill()
            process.wait()

    said = (tmp_path / "errors").read_text()
    assert _all_of([1]) == stored
    assert (
        f"mergecast: cannot write {server.folder}/server.json: No space left on device; serving without it. "
        f"Commands on this machine need --url {server.url} and --token\n"
    ) in said
    assert "Traceback" not in said


def _check_full_disk(server: ServerProcess, make_room: Callable[[], object]) -> None:
    with server.client() as http:
        acknowledged, refusal = _fill(http)
        assert acknowledged

        _is_whole_refusal(refusal)
        assert _all_of(acknowledged) == _stored(http)
        _reads_work(http)
        more, refusal = _fill(http, 300)
        acknowledged += more
        _is_whole_refusal(refusal)
        assert _DEGRADED == http.get("/readyz").json()

        make_room()
        after = [number for number in range(1000, 1003) if _send(http, number).status_code == 200]

        assert [1000, 1001, 1002] == after
        assert {"status": "ready"} == http.get("/readyz").json()
        assert _all_of([*acknowledged, *after]) == _stored(http)
    server.kill()
    server.start()
    with server.client() as http:
        assert _all_of([*acknowledged, *after]) == _stored(http)
        assert 200 == _send(http, 1003).status_code
        assert "Traceback" not in server.logged()


def _fill(http: httpx.Client, first: int = 1) -> tuple[list[int], httpx.Response]:
    """Send until the disk is full; return the acknowledged deliveries and the last rejection.

    After a rejection the log is merged into the file, unless a reader needs it: what it took is free again.
    """
    acknowledged: list[int] = []
    rejected = 0
    for number in range(first, first + _MOST_DELIVERIES):
        answer = _send(http, number)
        rejected = rejected + 1 if answer.status_code != 200 else 0
        if rejected == _REJECTIONS:
            return acknowledged, answer
        if not rejected:
            acknowledged.append(number)
    raise AssertionError("the disk never got full")


def _is_whole_refusal(answer: httpx.Response) -> None:
    assert _FULL == answer.json()
    assert (503, "5", "application/problem+json") == (
        answer.status_code,
        answer.headers["retry-after"],
        answer.headers["content-type"],
    )


def _reads_work(http: httpx.Client) -> None:
    for path in (
        "/healthz",
        "/readyz",
        "/metrics",
        "/v1/repos",
        f"{REPOSITORY}/stats/queue_size",
        f"{REPOSITORY}/stats/total_queue_time",
    ):
        assert 200 == http.get(path, params=DAY if "stats" in path else None).status_code, path


def _send(http: httpx.Client, number: int) -> httpx.Response:
    """Events with long names, which fill a disk quickly."""
    padded = [
        {**event, "session_id": event["session_id"].ljust(200, "-")} for event in delivery(number, _EVENTS)
    ]
    return http.post(f"{REPOSITORY}/events", json=padded)


def _rebuild(http: httpx.Client) -> httpx.Response:
    """The response to a rebuild; 599 if the connection broke."""
    try:
        return http.post("/v1/admin/rebuild")
    except httpx.RemoteProtocolError as error:
        return httpx.Response(599, json={"detail": repr(error)}, headers={"Retry-After": ""})


def _stored(http: httpx.Client) -> list[str]:
    lines = http.get(f"{REPOSITORY}/events").content
    return [event["id"] for event in msgspec.json.Decoder().decode_lines(lines)]


def _all_of(numbers: list[int]) -> list[str]:
    return [event["id"] for number in numbers for event in delivery(number, _EVENTS)]


def _limit_files(server: ServerProcess, most_bytes: int) -> None:
    pid = server.process.pid
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (most_bytes, hard))


@contextmanager
def _no_room_left(disk: Path) -> Iterator[None]:
    """Fill the disk to the last byte for a while."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(1 << 16)):
                pass
        except OSError:
            pass
    try:
        yield
    finally:
        ballast.unlink()
