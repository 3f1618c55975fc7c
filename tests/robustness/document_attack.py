"""A program that sends hostile documents continuously until it reads a line.

python document_attack.py URL TOKEN CLIENTS NAME…: prints the response statuses at the end.
"""

import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

import httpx


def _send(url: str, token: str, bodies: list[bytes], ending: threading.Event, first: int) -> set[int]:
    statuses: set[int] = set()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with httpx.Client(headers=headers, timeout=600, verify=False, trust_env=False) as http:
        for turn in count(first):
            if ending.is_set():
                break
            try:
                statuses.add(http.post(url, content=bodies[turn % len(bodies)]).status_code)
            except httpx.TransportError:
                time.sleep(0.01)
    return statuses


def _main(url: str, token: str, clients: int, names: list[str]) -> None:
    from robustness.hostile_documents import HOSTILE_DOCUMENTS, SLEEPING_DOCUMENTS  # noqa: PLC0415

    documents = HOSTILE_DOCUMENTS | SLEEPING_DOCUMENTS
    bodies = [json.dumps({"config_yml": documents[name]()}).encode() for name in names]
    os.nice(10)  # real attackers use their own machines
    ending = threading.Event()
    with ThreadPoolExecutor(clients) as pool:
        sending = [
            pool.submit(partial(_send, url, token, bodies, ending), number) for number in range(clients)
        ]
        print("ready", flush=True)  # noqa: T201 - the test reads it
        sys.stdin.readline()
        ending.set()
        print(*sorted(set.union(*(one.result() for one in sending))))  # noqa: T201


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    _main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
