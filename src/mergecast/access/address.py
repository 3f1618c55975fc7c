"""The address a request comes from: the peer's, or the one a trusted proxy reports."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


def parse_networks(text: str) -> tuple[Network, ...]:
    """Addresses and networks, separated by commas.

    >>> parse_networks("10.0.0.0/8, ::1")
    (IPv4Network('10.0.0.0/8'), IPv6Network('::1/128'))
    """
    networks = []
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            networks.append(ip_network(part))
        except ValueError:
            message = f"`{part}` is neither an address nor a network; write 10.0.0.7, 10.0.0.0/8 or ::1"
            raise ValueError(message) from None
    return tuple(networks)


def address_of(peer: str, forwarded: Iterable[bytes], trusted: tuple[Network, ...]) -> str:
    """The nearest address that is not a trusted proxy's.

    Every proxy appends the address it received the request from. So the list is read from its end, up to
    the first address that is not trusted: anyone could have written the ones before it.
    """
    if not trusted:
        return peer
    hops = b",".join(forwarded).decode("latin-1").split(",")
    address = peer
    while hops and is_in(address, trusted):
        hop = _without_port(hops.pop().strip())
        if _parsed(hop) is None:
            break
        address = hop
    return address


def _without_port(hop: str) -> str:
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


@lru_cache(maxsize=1024)
def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_in(text: str, networks: tuple[Network, ...]) -> bool:
    """Whether this is an address in one of the networks."""
    address = _parsed(text)
    return address is not None and any(address in network for network in networks)


def limit_key(address: str) -> str:
    """What limits count as one client: an IPv4 address, or the /64 of an IPv6 address, which one site owns.

    >>> [limit_key("192.0.2.1"), limit_key("::ffff:192.0.2.1"), limit_key("2001:db8::1")]
    ['192.0.2.1', '192.0.2.1', '2001:db8::/64']
    """
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed.packed[:8] + bytes(8), 64)))
    return str(parsed) if parsed else address
