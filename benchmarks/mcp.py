"""What do tools for agents cost?

    PYTHONPATH=tests .venv/bin/python benchmarks/mcp.py [--calls N] [--compared N]

Starts a server in its own process, and prints:

- the CPU time and memory until it is ready, and after the first message to /mcp, which loads the SDK
- for an old and a new version of the protocol, how much more CPU time a call takes than the request behind it
- how much memory grows during many calls, after the first 500
- how long after its client has disconnected the forecast behind a call ends

Goals: at most 6 ms more, at most 10 MB for 10,000 calls, at most 2 seconds.
"""

import argparse
import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from cpu_time import precise_cpu_time
from soak.preparation import send_recent
from soak.scene import RECENT, SETTINGS
from soak.server import InstalledServer

_OLD, _NEW = "2025-11-25", "2026-07-28"
_META = "io.modelcontextprotocol/"
_WARM_UP = 500
_ROUND = 25
_PATH = "/v1/repos/{owner}/{repository}"


def message(version: str, tool: str, **arguments: object) -> tuple[dict[str, Any], dict[str, str]]:
    """A call and its headers."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    headers = {"Accept": "application/json", "MCP-Protocol-Version": version}
    if version == _NEW:
        params["_meta"] = {f"{_META}protocolVersion": version, f"{_META}clientCapabilities": {}}
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers


def called(http: httpx.Client, version: str) -> None:
    sent, headers = message(version, "list_repositories")
    answer = http.post("/mcp", json=sent, headers=headers)
    assert answer.status_code == 200, answer.text
    assert not answer.json()["result"]["isError"]


def asked(http: httpx.Client) -> None:
    http.get("/v1/repos?limit=50&order=-last_event_at").raise_for_status()


def cpu_of(pid: int, work: Callable[[], None], times: int) -> float:
    begun = precise_cpu_time(pid)
    for _ in range(times):
        work()
    return precise_cpu_time(pid) - begun


def extra_ms(pid: int, http: httpx.Client, version: str, times: int) -> float:
    """In rounds that alternate, so that what the server does besides concerns both."""
    calls = requests = 0.0
    for _ in range(max(1, times // _ROUND)):
        calls += cpu_of(pid, lambda: called(http, version), _ROUND)
        requests += cpu_of(pid, lambda: asked(http), _ROUND)
    return (calls - requests) / (max(1, times // _ROUND) * _ROUND) * 1000


def resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def ended(http: httpx.Client, route: str, status: int) -> float:
    """How many requests below the path of a repository ended with a status."""
    wanted = (f'route="{_PATH}/{route}"', f'status="{status}"', "_count{")
    lines = http.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if all(part in line for part in wanted))


def wait_for_another(http: httpx.Client, route: str, status: int, before: float) -> None:
    begun = time.monotonic()
    while ended(http, route, status) == before:
        assert time.monotonic() - begun < 60, f"no {status} of {route}"
        time.sleep(0.05)


def seconds_to_end(server: InstalledServer, http: httpx.Client) -> float:
    repository = RECENT.removeprefix("/v1/repos/")
    sent, headers = message(_OLD, "forecast_settings", repository=repository, settings={"batch_size": 7})
    body = json.dumps(sent).encode()
    head = {**http.headers, **headers, "Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = [f"{name}: {value}" for name, value in {**head, "Host": "a"}.items()]
    looked_up, cancelled = ended(http, "summary", 200), ended(http, "forecast", 408)
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall("\r\n".join(["POST /mcp HTTP/1.1", *lines, "", ""]).encode() + body)
        wait_for_another(http, "summary", 200, looked_up)  # the branch, before the forecast begins
        time.sleep(1)
    begun = time.monotonic()
    wait_for_another(http, "forecast", 408, cancelled)
    return time.monotonic() - begun


def measure(server: InstalledServer, calls: int, compared: int) -> None:
    pid = server.process.pid
    print(f"ready: {precise_cpu_time(pid):.2f} s of CPU time, {resident_mb(pid):.0f} MB")
    with server.client() as http:
        first = cpu_of(pid, lambda: called(http, _OLD), 1)
        print(f"first message: {first:.2f} s of CPU time; then {resident_mb(pid):.0f} MB")
        cpu_of(pid, lambda: called(http, _OLD), _WARM_UP)
        for version in (_OLD, _NEW):
            print(
                f"{version}: {extra_ms(pid, http, version, compared):.2f} ms more than the request behind it"
            )
        before = resident_mb(pid)
        for version in (_OLD, _NEW):
            cpu_of(pid, lambda version=version: called(http, version), calls // 2)  # type: ignore[misc]
        print(f"{calls:,} calls: {resident_mb(pid) - before:+.1f} MB, from {before:.0f} MB")
        send_recent(http)
        print(f"a forecast ended {seconds_to_end(server, http):.2f} s after its client had disconnected")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--compared", type=int, default=500)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        server = InstalledServer(Path(folder) / "data", Path(folder) / "server.log", SETTINGS)
        try:
            server.start()
            measure(server, options.calls, options.compared)
        finally:
            server.end()


if __name__ == "__main__":
    main()
