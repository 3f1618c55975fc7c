"""Which addresses users may name: public ones on port 443, and those that the operator allows."""

from collections.abc import Awaitable, Callable, Sequence
from socket import IPPROTO_TCP, SOCK_STREAM, getaddrinfo
from typing import NamedTuple
from urllib.parse import quote, urlsplit

HTTPS = 443
_HTTP = 80
_LONGEST = 2000
NOTICE_HOSTS = "MERGECAST_NOTICE_HOSTS"
_HOOK = "https://hooks.example.com/services/…"

# host, port → its IP addresses
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class InvalidUrl(ValueError):
    """The message says what would be right. It does not contain the URL, which is a secret."""


class Place(NamedTuple):
    """Where a URL leads; the path is a secret."""

    is_encrypted: bool
    host: str
    port: int
    path: str
    is_exempt: bool

    def __repr__(self) -> str:
        return f"Place({self.host}:{self.port})"

    def url_at(self, address: str) -> str:
        """The URL at one of the addresses of the host; TLS and the Host header still need its name."""
        scheme = "https" if self.is_encrypted else "http"
        return f"{scheme}://{_in_url(address)}:{self.port}{self.path}"

    @property
    def host_header(self) -> str:
        is_usual = self.port == (HTTPS if self.is_encrypted else _HTTP)
        return _in_url(self.host) if is_usual else f"{_in_url(self.host)}:{self.port}"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def look_up(host: str, port: int) -> list[str]:
    """The addresses of a host; this can take long, so it is called in a thread."""
    found = getaddrinfo(host, port, type=SOCK_STREAM, proto=IPPROTO_TCP)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def read_url(url: str, exempt: frozenset[str], setting: str = NOTICE_HOSTS, example: str = _HOOK) -> Place:
    """Where a URL leads. `exempt` has hosts with ports that the operator allows, whatever their address.

    The operator allows them in a setting, which messages name.
    """
    if len(url) > _LONGEST or not url.isascii() or any(mark <= " " or mark == "\x7f" for mark in url):
        raise InvalidUrl(f"must be a URL of at most {_LONGEST} visible ASCII characters")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise InvalidUrl(f"must be a URL such as {example}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidUrl(f"must be a URL such as {example}")
    if parts.username is not None or parts.password is not None:
        raise InvalidUrl("must not contain a user or a password")
    is_encrypted = parts.scheme == "https"
    port = port if port is not None else HTTPS if is_encrypted else _HTTP
    is_exempt = f"{host}:{port}".lower() in exempt
    if not is_exempt and not is_encrypted:
        raise InvalidUrl(f"must begin with https://; the operator can allow others in {setting}")
    if not is_exempt and port != HTTPS:
        raise InvalidUrl(f"must use port 443; the operator can allow others in {setting}")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(is_encrypted, host, port, quote(path, safe="/?&=%:;,@!$'()*+~-._[]"), is_exempt)


def masked_url(url: str) -> str:
    """The host of a URL; the rest of it is secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/…"


def parse_hosts(text: str) -> frozenset[str]:
    """The hosts of a setting such as `chat.internal:8443, 10.0.0.7:443`."""
    hosts = set()
    for part in filter(None, map(str.strip, text.split(","))):
        host, _, port = part.rpartition(":")
        if not host or not port.isdigit() or not 0 < int(port) < 1 << 16 or "/" in host or "@" in host:
            raise ValueError(f"`{part}` is not a host with a port; write chat.internal:8443")
        hosts.add(f"{host.strip('[]').lower()}:{int(port)}")
    return frozenset(hosts)
