"""What do tools for agents cost?

    PYTHONPATH=tests .venv/bin/python benchmarks/mcp_calls.py [OPTIONS]

Starts servers in their own processes, and prints:

- how long a server with and without the extra `mcp` takes until it is ready, and its memory then; medians
- the CPU time and memory of the first message to /mcp, which loads the SDK, and the slowest /healthz then
- for an old and a new version of the protocol, how much more CPU time a call takes than the request behind it
- how much memory grows during many calls of several tools, every 1,000 calls, once the server has answered
  500 and has nothing more to do about the history that has just arrived
- the same for the client of the SDK, through both doors: of the server, and of the command `mergecast mcp`
- how long after its client has disconnected the forecast behind a call ends

Goals: at most 6 ms more, at most 10 MB for 10,000 calls, at most 2 seconds.
"""

import argparse
import asyncio
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx
from mcp.client.client import Client

from cpu_time import precise_cpu_time
from robustness.server_process import TOKEN
from soak.preparation import send_recent
from soak.scene import RECENT, SETTINGS
from soak.server import InstalledServer
from tools.doors import DOORS, connected

_OLD, _NEW = "2025-11-25", "2026-07-28"
_META = "io.modelcontextprotocol/"
_WARM_UP = 500
_ROUND = 25
_PER_LINE = 1_000
_IDLE = 0.05  # of a core: a server that uses less has nothing more to do
_PATH = "/v1/repos/{owner}/{repository}"
_REPOSITORY = RECENT.removeprefix("/v1/repos/")
_ABOUT_IT: dict[str, object] = {"repository": _REPOSITORY}
_DOCUMENT = "queue_rules:\n  - name: default\n"
# Every tool but forecasts, of which one takes seconds; in the shares that agents may need.
_MIXED: tuple[tuple[str, dict[str, object]], ...] = (
    *[("pull_request_status", {**_ABOUT_IT, "number": 7})] * 6,
    *[("list_repositories", {})] * 4,
    *[("queue_status", _ABOUT_IT)] * 4,
    *[("explain_removal", {**_ABOUT_IT, "number": 7})] * 3,
    ("check_flakiness", _ABOUT_IT),
    ("check_configuration", {**_ABOUT_IT, "document": _DOCUMENT}),
    ("what_changed", _ABOUT_IT),
)


def message(version: str, tool: str, **arguments: object) -> tuple[dict[str, Any], dict[str, str]]:
    """A call and its headers."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    headers = {"Accept": "application/json", "MCP-Protocol-Version": version}
    if version == _NEW:
        params["_meta"] = {f"{_META}protocolVersion": version, f"{_META}clientCapabilities": {}}
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers


def called(http: httpx.Client, version: str, tool: str = "list_repositories", **arguments: object) -> None:
    sent, headers = message(version, tool, **arguments)
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


def mixed(http: httpx.Client, version: str, calls: int) -> None:
    for tool, arguments in islice(cycle(_MIXED), calls):
        called(http, version, tool, **arguments)


def wait_until_idle(pid: int) -> None:
    """What the server keeps of a history that has just arrived is not what the tools keep."""
    begun, is_busy = time.monotonic(), True
    while is_busy:
        assert time.monotonic() - begun < 600, "the server is still busy"
        is_busy = cpu_of(pid, lambda: time.sleep(5), 3) > 15 * _IDLE


def growth(pid: int, http: httpx.Client, calls: int) -> None:
    """Both versions of the protocol in turn."""
    before = resident_mb(pid)
    print(f"before: {before:.1f} MB")
    for done in range(0, calls, _PER_LINE):
        part = min(_PER_LINE, calls - done)
        for version in (_OLD, _NEW):
            mixed(http, version, part // 2)
        wait_until_idle(pid)  # as before the first call: a store that works takes more
        now = resident_mb(pid)
        print(f"{done + part:,} calls: {now:.1f} MB, {now - before:+.1f} MB", flush=True)


def clients_growth(server: InstalledServer, door: str, calls: int) -> tuple[float, float]:
    """How much memory grows behind a door during calls by the client of the SDK, and what it was before."""
    found = (0.0, 0.0)

    async def use(client: Client) -> None:
        nonlocal found
        pid = server.process.pid if door == "http" else started_command()
        before = 0.0
        for number, (tool, arguments) in enumerate(islice(cycle(_MIXED), 2 * len(_MIXED) + calls)):
            if number == 2 * len(_MIXED):
                before = resident_mb(pid)
            assert not (await client.call_tool(tool, arguments)).is_error
        found = resident_mb(pid) - before, before

    asyncio.run(connected(server.url, TOKEN, door, "auto", use))
    return found


def started_command() -> int:
    """The process of `mergecast mcp`, which the client has started."""
    for file in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        for pid in file.read_text(encoding="ascii").split():
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if b"mcp" in words:
                return int(pid)
    raise AssertionError("the client has started no command")


@contextmanager
def slowest_health(server: InstalledServer) -> Iterator[list[float]]:
    """The seconds of the slowest answer of /healthz during the block."""
    slowest, is_over = [0.0], threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=server.url) as http:
            while not is_over.is_set():
                begun = time.monotonic()
                http.get("/healthz").raise_for_status()
                slowest[0] = max(slowest[0], time.monotonic() - begun)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield slowest
    finally:
        is_over.set()
        thread.join()


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
    sent, headers = message(_OLD, "forecast_settings", repository=_REPOSITORY, settings={"batch_size": 7})
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


def measure(server: InstalledServer, calls: int, compared: int, clients: int) -> None:
    pid = server.process.pid
    with server.client() as http:
        before = resident_mb(pid)
        with slowest_health(server) as slowest:
            first = cpu_of(pid, lambda: called(http, _OLD), 1)
        print(
            f"first message: {first:.2f} s of CPU time, {resident_mb(pid) - before:+.0f} MB; "
            f"the slowest /healthz meanwhile: {slowest[0]:.2f} s"
        )
        cpu_of(pid, lambda: called(http, _OLD), _WARM_UP)
        for version in (_OLD, _NEW):
            print(
                f"{version}: {extra_ms(pid, http, version, compared):.2f} ms more than the request behind it"
            )
        send_recent(http)
        mixed(http, _NEW, _WARM_UP)
        wait_until_idle(pid)
        growth(pid, http, calls)
        for door in DOORS:
            grown, before = clients_growth(server, door, clients)
            print(f"{clients:,} calls by the SDK, {door}: {grown:+.1f} MB, from {before:.0f} MB")
        print(f"a forecast ended {seconds_to_end(server, http):.2f} s after its client had disconnected")


class Start(NamedTuple):
    seconds: float
    cpu_seconds: float
    megabytes: float


def start(folder: Path, environment: Mapping[str, str], *, speaks: bool) -> Start:
    """Start a new server and end it; it must speak MCP or not."""
    server = InstalledServer(folder / "data", folder / "server.log", {**SETTINGS, **environment})
    begun = time.monotonic()
    try:
        server.start()
        pid = server.process.pid
        found = Start(time.monotonic() - begun, precise_cpu_time(pid), resident_mb(pid))
        with server.client() as http:
            sent, headers = message(_OLD, "list_repositories")
            assert http.post("/mcp", json=sent, headers=headers).is_success is speaks
        return found
    finally:
        server.end()


def compare_starts(starts: int) -> None:
    with TemporaryDirectory() as stub:
        missing = 'raise ModuleNotFoundError("No module named \'mcp\'", name="mcp")\n'
        for name in ("mcp", "mcp_types"):
            (Path(stub) / f"{name}.py").write_text(missing, encoding="ascii")
        found: dict[str, list[Start]] = {"with": [], "without": []}
        for _ in range(starts):
            for name, environment in (("with", {}), ("without", {"PYTHONPATH": stub})):
                with TemporaryDirectory() as folder:
                    found[name].append(start(Path(folder), environment, speaks=name == "with"))
    for name, measured in found.items():
        seconds, cpu_seconds, megabytes = (median(one) for one in zip(*measured, strict=True))
        print(
            f"{name} the extra, ready: {seconds:.2f} s, {cpu_seconds:.2f} s of CPU time, {megabytes:.0f} MB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--compared", type=int, default=500)
    parser.add_argument("--clients", type=int, default=1_000)
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    compare_starts(options.starts)
    with TemporaryDirectory() as folder:
        server = InstalledServer(Path(folder) / "data", Path(folder) / "server.log", SETTINGS)
        try:
            server.start()
            measure(server, options.calls, options.compared, options.clients)
        finally:
            server.end()


if __name__ == "__main__":
    main()
