"""Deliveries whose content follows from their number, and clients that send them continuously."""

import threading
import time
from itertools import count
from random import Random
from typing import Any, Self

import httpx
import msgspec

from robustness.server_process import ServerProcess
from waiting import wait_until

REPOSITORY = "/v1/repos/acme/widgets"
DAY = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}
LARGEST_DELIVERY = 500

Wire = dict[str, Any]


def delivery(number: int, size: int | None = None) -> list[Wire]:
    """1 to 500 events with every default spelled out; the stays of one delivery leave in the next."""
    length = size or Random(number).randint(1, LARGEST_DELIVERY)
    return [_event(number, place) for place in range(length)]


def _event(number: int, place: int) -> Wire:
    stay, kind = divmod(place, 4)
    second = (number * 37 + place * 11) % 86_400
    common = {
        "id": f"{number}.{place}",
        "at": f"2026-03-02T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z",
        "base_ref": "main",
        "queue_name": f"queue-{stay % 3}",
        "priority_rule_name": None,
        "source": "api",
        "session_id": f"{number - 1 if kind == 3 else number}.{stay}",
        "pull_request": stay,
    }
    return {**common, **_kind(kind, f"batch-{number}.{stay}", stay)}


def _kind(kind: int, batch: str, pull_request: int) -> Wire:
    if kind == 0:
        return {"type": "queue_entered"}
    if kind == 1:
        members = [pull_request, pull_request + 1]
        return {
            "type": "checks_started", "batch_id": batch, "attempt": 1, "batch_pull_requests": members,
        }  # fmt: skip
    if kind == 2:
        return {"type": "checks_ended", "batch_id": batch, "attempt": 1, "outcome": "SUCCESS"}
    waits = {"seconds_waiting_for_schedule": 0, "seconds_waiting_for_freeze": 0.5}
    return {"type": "queue_left", "reason": "PR_MERGED", **waits}


class DeliveryStream:
    """Several clients, with what they sent and which deliveries the server acknowledged."""

    def __init__(self, server: ServerProcess, clients: int, *, expects_outages: bool = False) -> None:
        self._server = server
        self._expects_outages = expects_outages
        self._numbers = count(1)
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self.sent: set[int] = set()
        self.acknowledged: set[int] = set()
        self.cut_off = 0
        self.refusals: list[str] = []
        self._threads = [threading.Thread(target=self._client) for _ in range(clients)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()

    def wait_for_acknowledgement(self) -> None:
        """Wait until the clients are served again."""
        before = len(self.acknowledged)
        wait_until(lambda: len(self.acknowledged) > before, "the storing of a delivery")

    def _client(self) -> None:
        with self._server.client() as http:
            number = next(self._numbers)
            while not self._ending.is_set():
                if self._send(http, number):
                    number = next(self._numbers)

    def _send(self, http: httpx.Client, number: int) -> bool:
        """Send a delivery; return whether a server that is ready accepted the connection."""
        events = delivery(number)
        content, headers = msgspec.json.encode(events), {"Content-Type": "application/json"}
        try:
            answer = http.post(f"{REPOSITORY}/events", content=content, headers=headers)
        except httpx.ConnectError:
            time.sleep(0.02)
            return False
        except httpx.TransportError:
            with self._lock:
                self.sent.add(number)
                self.cut_off += 1
            return True
        if answer.status_code == 503 and "the server is not ready yet" in answer.text:
            time.sleep(0.02)
            return False
        self._note(number, len(events), answer)
        return True

    def _note(self, number: int, events: int, answer: httpx.Response) -> None:
        expected = {"stored": events, "duplicates": 0}
        with self._lock:
            self.sent.add(number)
            if answer.status_code == 200 and answer.json() == expected:
                self.acknowledged.add(number)
            elif answer.status_code == 503 and self._expects_outages:
                self.cut_off += 1
            else:
                self.refusals.append(f"{number}: {answer.status_code} {answer.text}")
