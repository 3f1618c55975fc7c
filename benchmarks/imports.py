"""How long does an import of the activity log take, compared with reading its pages and discarding them?

    .venv/bin/python benchmarks/imports.py [ENTRIES]

One process serves ready-made pages of 100 entries, another one is the server that stores them. The two
measurements take turns. Goal: at most 3. On a machine with other work, compare CPU seconds: those of both
processes when reading, and those of the server when importing, because it works while the others do.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from mergecast.cli.import_display import ImportDisplay
from mergecast.cli.import_run import Import
from mergecast.client.client import Client
from mergecast.incoming.sources.origin import Account, open_origin
from mergecast.incoming.sources.page import Part
from mergecast.queues.model.instant import DAY, HOUR, Window

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from sources.activity_log_history import LogWriter

_ROUNDS = 3
_PER_PAGE = 100
_SPAN = 80 * DAY


def _now() -> int:
    return time.time_ns() // 1000


def _pages(entries: int) -> list[bytes]:
    """Newest first."""
    written = LogWriter(1).entries(entries // 4, _now() - HOUR)[:entries][::-1]
    parts = [written[start : start + _PER_PAGE] for start in range(0, len(written), _PER_PAGE)]
    return [json.dumps({"size": len(part), "per_page": _PER_PAGE, "events": part}).encode() for part in parts]


def _serve_pages(entries: int, ready: Connection) -> None:
    pages = _pages(entries)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            while (await reader.readline()).strip():
                pass
            query = parse_qs(urlsplit(line.split()[1].decode()).query)
            number = int(query.get("cursor", ["0"])[0])
            link = f'Link: </logs?cursor={number + 1}>; rel="next"\r\n' if number + 1 < len(pages) else ""
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(pages[number])}\r\n{link}\r\n"
            writer.write(head.encode() + pages[number])
            await writer.drain()
        writer.close()

    async def main() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        ready.send((server.sockets[0].getsockname()[1], sum(map(len, pages))))
        await server.serve_forever()

    asyncio.run(main())


@contextmanager
def _server(folder: str) -> Iterator[tuple[str, str, int]]:
    """The address, admin token and process id of a server in a separate process."""
    command = [sys.executable, "-m", "mergecast", "serve", "--data-dir", folder, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        address = Path(folder) / "server.json"
        while not address.exists():
            time.sleep(0.05)
        found = json.loads(address.read_text())
        yield found["url"], found["token"], process.pid
        process.terminate()


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _timed(work: Awaitable[object], *processes: int) -> tuple[float, list[float]]:
    """How long it takes, and the CPU seconds of each of the processes."""
    begun, before = time.perf_counter(), [_cpu_seconds(pid) for pid in processes]
    await work
    used = [_cpu_seconds(pid) - cpu for pid, cpu in zip(processes, before, strict=True)]
    return time.perf_counter() - begun, used


async def _read(account: Account) -> None:
    origin, fetcher = open_origin(account, "acme-orbit/lander", _now)
    async for _ in origin.pages(Part(Window(_now() - _SPAN, _now()))):
        pass
    await fetcher.close()


def main() -> None:
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    ready, theirs = Pipe()
    pages = Process(target=_serve_pages, args=(entries, theirs), daemon=True)
    pages.start()
    port, size = ready.recv()
    account = Account("activity-log", f"http://127.0.0.1:{port}", "a-token")
    print(f"{entries:,} entries, {size / 1e6:.1f} MB")
    ratios = []
    for number in range(_ROUNDS):
        with tempfile.TemporaryDirectory() as folder, _server(folder) as (url, token, server):
            processes = os.getpid(), pages.pid or 0
            reading, readers = asyncio.run(_timed(_read(account), *processes))
            with Client(url, token) as client:
                importing = Import(client, account, "acme-orbit/lander", "acme/web", ImportDisplay())
                whole, used = asyncio.run(_timed(importing.once(_now() - _SPAN), *processes, server))
        ratios.append(whole / reading)
        print(f"{number + 1}: read {reading:.2f} s, imported {whole:.2f} s, ratio {ratios[-1]:.2f}")
        print(
            f"   CPU: reading {sum(readers):.2f} s; importing {sum(used[:2]):.2f} s in the command and the "
            f"platform, {used[2]:.2f} s in the server; ratio {used[2] / sum(readers):.2f}",
            flush=True,
        )
    pages.terminate()
    print(f"median ratio {sorted(ratios)[len(ratios) // 2]:.2f} (goal: at most 3)")


if __name__ == "__main__":
    main()
