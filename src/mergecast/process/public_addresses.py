"""Which IP addresses are public. The table is our own: that of Python differs between its versions.

It follows the IANA registries of special-purpose addresses, and has some addresses of clouds in addition.
"""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_REFUSED_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # carriers; also metadata of Alibaba Cloud
            "127.0.0.0/8",  # this machine
            "168.63.129.16/32",  # services of Azure's virtual machines
            "169.254.0.0/16",  # link-local; also metadata of most clouds
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments; also metadata of Oracle Cloud
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast tunnels
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
_REFUSED_V6 = tuple(
    map(
        IPv6Network,
        (
            "::/3",  # this machine, IPv4-compatible and translated addresses, local NAT64
            "2001::/23",  # protocol assignments, among them Teredo
            "2001:db8::/32",  # documentation
            "2620:4f:8000::/48",  # AS112
            "3ffe::/16",  # the former 6bone
            "3fff::/20",  # documentation
            "4000::/2",  # not global unicast, as is everything below
            "8000::/1",  # among them private, link-local and site-local addresses, and multicast
        ),
    )
)
# In these, packets reach the IPv4 address at the end.
_MAPPED, _NAT64 = IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_ISATAP = (0x00005EFE, 0x02005EFE)  # the 32 bits before the IPv4 address
_LAST_32 = 0xFFFFFFFF


def is_public(address: str) -> bool:
    """Whether an address, and the IPv4 address in it, if any, is reachable from anywhere."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv4Address):
        return _is_public_v4(found)
    return (
        found.scope_id is None
        and all(_is_public_v4(inner) for inner in _embedded(found))
        and (found in _MAPPED or found in _NAT64 or not any(found in network for network in _REFUSED_V6))
    )


def _is_public_v4(address: IPv4Address) -> bool:
    return not any(address in network for network in _REFUSED_V4)


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """The IPv4 addresses that packets to an IPv6 address may reach."""
    number = int(address)
    if address in _SIX_TO_FOUR:
        yield IPv4Address(number >> 80 & _LAST_32)
    if address in _MAPPED or address in _NAT64 or number >> 32 & _LAST_32 in _ISATAP:
        yield IPv4Address(number & _LAST_32)
