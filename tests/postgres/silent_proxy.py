"""A database that can fall silent: a proxy that accepts connections and bytes, and stops passing them on."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from urllib.parse import urlsplit

_PART = 1 << 16


class SilentProxy:
    """Like a database whose processes are stopped: the system accepts connections, and nothing answers."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._target = (parts.hostname or "", parts.port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        port = self._listener.getsockname()[1]
        self.address = parts._replace(netloc=f"{parts.username}@127.0.0.1:{port}").geturl()
        self._answers = threading.Event()
        self._answers.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def fall_silent(self) -> None:
        self._answers.clear()

    @property
    def is_silent(self) -> bool:
        return not self._answers.is_set()

    def answer_again(self) -> None:
        self._answers.set()

    def close(self) -> None:
        self._answers.set()
        # Closing alone would not wake the thread that accepts.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._answers.wait()
        with client, socket.create_connection(self._target) as database:
            back = threading.Thread(target=self._copy, args=(database, client), daemon=True)
            back.start()
            self._copy(client, database)
            back.join()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while part := source.recv(_PART):
                self._answers.wait()
                target.sendall(part)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@contextmanager
def silent_proxy(address: str) -> Iterator[SilentProxy]:
    with closing(SilentProxy(address)) as proxy:
        yield proxy
