"""A proxy between a command and a server, which a test closes, opens and lets fall silent."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_PART = 1 << 16


class Door:
    """Counts the requests that pass; a closed door ends every connection at once."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._target = (parts.hostname or "", parts.port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.asked: list[str] = []
        self._passing: set[socket.socket] = set()
        self._is_open, self._answers = True, threading.Event()
        self._answers.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def count(self, ending: str) -> int:
        """How many requests there were for paths that end like this."""
        return sum(path.endswith(ending) for path in list(self.asked))

    def close_connections(self) -> None:
        for passing in list(self._passing):
            with suppress(OSError):
                passing.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._is_open = False
        self.close_connections()

    def open(self) -> None:
        self._is_open = True

    def fall_silent(self) -> None:
        self._answers.clear()

    def remove(self) -> None:
        self.close()
        self._answers.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._is_open:
                    threading.Thread(target=self._serve, args=(client,), daemon=True).start()
                else:
                    self.asked.append("refused")
                    client.close()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.create_connection(self._target) as server:
            self._passing |= {client, server}
            back = threading.Thread(target=self._copy, args=(server, client), daemon=True)
            back.start()
            self._copy(client, server)
            back.join()
            self._passing -= {client, server}

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(_PART):
                if part.startswith(b"GET "):
                    self.asked.append(part.split(b" ", 2)[1].decode("ascii"))
                self._answers.wait()
                target.sendall(part)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@contextmanager
def door(url: str) -> Iterator[Door]:
    made = Door(url)
    try:
        yield made
    finally:
        made.remove()
