"""An acknowledged snapshot survives however the server ends, and is never incomplete."""

import threading
from pathlib import Path

import httpx

from api.recorded_pulls import record
from robustness.server_process import ServerProcess, server_process

_KILLS = 5
_PATH = "/v1/repos/acme/survivor/pulls/7"


def test_kills_after_the_answer(tmp_path: Path) -> None:
    """Each snapshot survives a SIGKILL right after its response."""
    with server_process(tmp_path) as server:
        for turn in range(_KILLS):
            with server.client() as http:
                http.put(f"{_PATH}/snapshot", json=_titled(turn)).raise_for_status()
            server.kill()
            server.start()

            assert turn == _kept(server)


def test_kills_at_any_moment(tmp_path: Path) -> None:
    """The stored snapshot is complete: the last acknowledged one or the one being written."""
    with server_process(tmp_path) as server:
        for turn in range(_KILLS):
            acknowledged = _replace_until_killed(server, turn / 20, turn * 1000)
            server.start()

            assert _kept(server) in {acknowledged, acknowledged + 1}


def _replace_until_killed(server: ServerProcess, seconds: float, first: int) -> int:
    with server.client() as http:
        http.put(f"{_PATH}/snapshot", json=_titled(first)).raise_for_status()
        last = first
        killer = threading.Timer(seconds, server.kill)
        killer.start()
        try:
            while http.put(f"{_PATH}/snapshot", json=_titled(last + 1)).is_success:
                last += 1
        except httpx.TransportError:
            pass
        killer.join()
    return last


def _titled(turn: int) -> dict[str, object]:
    return record(pull={"title": f"turn {turn}", "body": "x" * 100_000})


def _kept(server: ServerProcess) -> int:
    """The turn of the stored snapshot, after checking that it can be simulated."""
    with server.client() as http:
        body = {"config_yml": "queue_rules: [{name: default}]"}
        http.post(f"{_PATH}/simulator", json=body).raise_for_status()
        kept = http.get(f"{_PATH}/snapshot").json()
    assert _titled(0)["pull"]["body"] == kept["pull"]["body"]  # type: ignore[index]
    return int(kept["pull"]["title"].removeprefix("turn "))
