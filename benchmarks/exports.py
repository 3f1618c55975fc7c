"""What does exporting a table cost a server: memory, CPU time, and the size of the file?

    .venv/bin/python benchmarks/exports.py FOLDER [STAYS …]        (default: 10000 1000000)

Makes a store of three times as many stays, one third of them in one repository, unless the folder has one
already, serves it in a process of its own, and exports every table of that repository in both formats. Memory
is the highest resident set of the server during an export, minus the one just before it. With the variable
MERGECAST_DATABASE_URL, the server uses that database instead, which must contain `acme/large` already
(`mergecast store copy` fills it); then give one number of stays only, to label the line.

Wanted: the memory of an export does not grow with the table.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from big_store import REPOSITORY
from mergecast.queues.export.formats import FORMATS
from mergecast.queues.export.tables import TABLES

_TOKEN = "a-token-for-benchmarks-of-32-characters"
_MIB = 1 << 20
_TICKS = os.sysconf("SC_CLK_TCK")


def make_store(folder: Path, stays: int) -> None:
    if not folder.exists():
        script = Path(__file__).with_name("big_store.py")
        subprocess.run([sys.executable, script, folder, str(3 * stays)], check=True, stdout=sys.stderr)


@contextmanager
def served(folder: Path) -> Iterator[tuple[int, httpx.Client]]:
    """The id of a server's process, and a client for it."""
    environment = {**os.environ, "MERGECAST_ADMIN_TOKEN": _TOKEN, "MERGECAST_PORT": "0"}
    command = [sys.executable, "-m", "mergecast", "serve", "--data-dir", str(folder)]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert process.stdout is not None
        url = next(word for line in process.stdout for word in line.split() if word.startswith("http"))
        headers = {"Authorization": f"Bearer {_TOKEN}"}
        with httpx.Client(base_url=url.split("#")[0].rstrip("/,"), headers=headers, timeout=600) as client:
            yield process.pid, client
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        log.close()


def memory(pid: int, name: str) -> int:
    """`VmRSS`, the resident set, or `VmHWM`, the highest one since it was forgotten."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))


def cpu_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / _TICKS


def measure(pid: int, client: httpx.Client, table: str, format: str) -> str:
    Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")  # forget the highest memory
    before, cpu, began, size, first = memory(pid, "VmRSS"), cpu_seconds(pid), time.monotonic(), 0, 0.0
    with client.stream("GET", f"/v1/repos/{REPOSITORY}/export/{table}?format={format}") as answer:
        answer.raise_for_status()
        for part in answer.iter_raw():
            first = first or time.monotonic() - began
            size += len(part)
    rise = memory(pid, "VmHWM") - before
    return (
        f"{table:10} {format:7} {size / 1e6:8.1f} MB {rise / _MIB:7.0f} MiB more than {before / _MIB:4.0f} "
        f"{cpu_seconds(pid) - cpu:6.1f} s CPU, first bytes after {first:.2f} s"
    )


def main(folder: Path, *counts: int) -> None:
    for stays in counts or (10_000, 1_000_000):
        place = folder / str(stays)
        if "MERGECAST_DATABASE_URL" not in os.environ:
            make_store(place, stays)
        place.mkdir(parents=True, exist_ok=True)
        with served(place) as (pid, client):
            for table in TABLES:
                for format in FORMATS:
                    print(f"{stays:9,} stays", measure(pid, client, table, format), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
