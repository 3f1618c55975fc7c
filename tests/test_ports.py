"""A reserved port is free for the program that it is meant for, and for no other."""

import socket
import struct
from contextlib import closing

import pytest

from ports import reserved_port, reserved_ports

pytestmark = pytest.mark.server
_IP_LOCAL_PORT_RANGE = 51  # which ports the system may choose for a socket; since Linux 6.3


def _listening(port: int) -> socket.socket:
    """As servers listen: they may be started again at once."""
    return socket.create_server(("127.0.0.1", port))


def _choosing_among(port: int) -> socket.socket:
    """A socket for which the system can choose this port and no other."""
    asking = socket.socket()
    try:
        asking.setsockopt(socket.IPPROTO_IP, _IP_LOCAL_PORT_RANGE, struct.pack("HH", port, port))
    except OSError as error:
        asking.close()
        pytest.skip(f"this system does not let a program choose the range of its ports: {error}")
    return asking


def test_a_server_listens_on_its_port_again_and_again() -> None:
    with reserved_ports() as [port]:
        for _ in range(2):
            with _listening(port) as server, closing(socket.create_connection(("127.0.0.1", port))):
                server.accept()[0].close()


def test_no_other_program_gets_the_port() -> None:
    """Neither to listen, nor for a connection that it opens."""
    with reserved_ports(2) as [port, elsewhere], _listening(elsewhere):
        with _choosing_among(port) as other, pytest.raises(OSError, match="Address already in use"):
            other.bind(("127.0.0.1", 0))
        with _choosing_among(port) as other, pytest.raises(OSError, match="Cannot assign requested address"):
            other.connect(("127.0.0.1", elsewhere))


def test_the_port_is_free_when_its_user_is_gone() -> None:
    class _Server:
        def __init__(self) -> None:
            self.port = reserved_port(self)

    server = _Server()
    port = server.port
    del server

    with _choosing_among(port) as other:
        other.bind(("127.0.0.1", 0))
        assert port == other.getsockname()[1]
