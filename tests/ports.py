"""Ports of 127.0.0.1 for programs that need to know one before they listen."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from weakref import finalize


@contextmanager
def reserved_ports(number: int = 1) -> Iterator[list[int]]:
    """Ports that the system gives to no other program until the block ends."""
    with ExitStack() as stack:
        yield [stack.enter_context(_bound()).getsockname()[1] for _ in range(number)]


def reserved_port(user: object) -> int:
    """The same for one port, as long as `user` exists: it may stop listening and begin again."""
    bound = _bound()
    finalize(user, bound.close)
    return int(bound.getsockname()[1])


def _bound() -> socket.socket:
    """A socket that does not listen. Servers can listen on its port, because both allow to share it."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind(("127.0.0.1", 0))
    return bound
