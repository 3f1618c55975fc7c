"""The client address of a request, behind any number of proxies."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.access.address import address_of, limit_key, parse_networks

TRUSTED = parse_networks("10.0.0.0/8, ::1")


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("192.0.2.1", [], "192.0.2.1"),
        ("192.0.2.1", [b"198.51.100.7"], "192.0.2.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", [b"198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", [b"1.1.1.1, 198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", [b"1.1.1.1, 198.51.100.7, 10.9.9.9"], "198.51.100.7"),
        ("10.0.0.1", [b"1.1.1.1", b"198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", [b"198.51.100.7:4711"], "198.51.100.7"),
        ("::1", [b"[2001:db8::7]:4711"], "2001:db8::7"),
        ("::1", [b"2001:db8::7"], "2001:db8::7"),
        ("::ffff:10.0.0.1", [b"198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", [b"unknown"], "10.0.0.1"),
        ("10.0.0.1", [b"198.51.100.7, "], "10.0.0.1"),
        ("10.0.0.1", [b"\xff\xfe"], "10.0.0.1"),
        ("10.0.0.1", [b"10.0.0.2, 10.0.0.3"], "10.0.0.2"),
        ("", [b"198.51.100.7"], ""),
    ],
)
def test_forwarded_addresses(peer: str, forwarded: list[bytes], expected: str) -> None:
    """Addresses count from the right, as long as a trusted proxy added them."""
    assert expected == address_of(peer, forwarded, TRUSTED)


def test_no_proxy_is_trusted_by_default() -> None:
    """Any client can send this header."""
    assert "10.0.0.1" == address_of("10.0.0.1", [b"198.51.100.7"], ())


@given(st.lists(st.binary(max_size=30), max_size=5))
def test_forged_addresses_are_ignored(written: list[bytes]) -> None:
    """Only the address that the trusted proxy appended counts."""
    assert "198.51.100.7" == address_of("10.0.0.1", [*written, b"198.51.100.7"], TRUSTED)


def test_neighbourhoods() -> None:
    """An IPv6 /64 counts as one client; mapped IPv4 is IPv4; invalid text is unchanged."""
    pairs = {
        "2001:db8::1": "2001:db8::/64", "2001:db8::ffff:1": "2001:db8::/64",
        "2001:db8:0:1::": "2001:db8:0:1::/64",
        "::ffff:192.0.2.1": "192.0.2.1", "192.0.2.1": "192.0.2.1", "": "", "nonsense": "nonsense",
    }  # fmt: skip

    assert pairs == {address: limit_key(address) for address in pairs}


def test_networks() -> None:
    """Addresses and networks are separated by commas; an empty text has none."""
    assert (ip_network("10.0.0.7/32"), ip_network("fd00::/8")) == parse_networks(" 10.0.0.7 ,fd00::/8,")
    assert () == parse_networks("")
    with pytest.raises(ValueError, match="neither") as refusal:
        parse_networks("10.0.0.1, proxy")
    assert "`proxy` is neither an address nor a network; write 10.0.0.7, 10.0.0.0/8 or ::1" == str(
        refusal.value
    )
