"""Many clients in one thread that send one request after another with little overhead."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event

from robustness.delivery_stream import REPOSITORY
from robustness.server_process import TOKEN

_QUESTIONS = (
    "queue_size",
    "total_queue_time",
    "idle_queue_time",
    "queues_merged_count",
    "average_ci_runtime",
    "time_to_merge",
    "branches",
)


@dataclass(slots=True)
class Seen:
    """The responses that the clients received."""

    statuses: Counter[int] = field(default_factory=Counter)
    clients: Counter[int] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    def note(self, client: int, status: int) -> None:
        self.statuses[status] += 1
        self.clients[client] += 1


def targets(client: int) -> Iterator[str]:
    """An endless series of paths, each with a different window."""
    for turn in range(1_000_000):
        name = _QUESTIONS[(client + turn) % len(_QUESTIONS)]
        micros = f"{client:02}{turn % 10_000:04}"
        if name == "time_to_merge":
            yield f"{REPOSITORY}/stats/{name}?at=2026-03-02T12:00:00.{micros}Z"
        else:
            window = f"start_at=2026-03-02T00:00:00.{micros}Z&end_at=2026-03-03T00:00:00Z"
            yield f"{REPOSITORY}/stats/{name}?{window}"


def ask_until(port: int, clients: int, ending: Event, seen: Seen) -> None:
    """Run all clients until `ending` is set."""
    asyncio.run(_all(port, clients, ending, seen))


async def _all(port: int, clients: int, ending: Event, seen: Seen) -> None:
    await asyncio.gather(*(_one(port, client, ending, seen) for client in range(clients)))


async def _one(port: int, client: int, ending: Event, seen: Seen) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for target in targets(client):
            if ending.is_set():
                break
            status, _ = await ask(reader, writer, target)
            seen.note(client, status)
    except (OSError, asyncio.IncompleteReadError) as error:
        seen.errors.append(repr(error))
    finally:
        writer.close()


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: str) -> tuple[int, bytes]:
    """Send one GET on a persistent connection; return status and body."""
    writer.write(f"GET {target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    return int(head.split(b" ", 2)[1]), await reader.readexactly(length)
