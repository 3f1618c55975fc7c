"""Messages go to public addresses on port 443, and nowhere else unless the operator allows it."""

import asyncio
from socket import gaierror

import pytest

from local_http import LocalServer, Reply
from mergecast.process.addresses import InvalidUrl, masked_url, parse_hosts, read_url
from mergecast.process.public_addresses import is_public
from mergecast.signals.notices.outcome import Outcome
from mergecast.signals.notices.posting import Poster

_WRONG = "must be a URL such as https://hooks.example.com/services/…"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2002:a00:1::", "64:ff9b::7f00:1",
        "ff02::1", "64:ff9b::a9fe:a9fe", "::127.0.0.1", "2001:db8::1", "fec0::1", "not an address",
        # Some versions of Python call these global.
        "192.0.0.1", "192.0.0.9", "192.0.0.10", "192.0.0.170", "192.0.0.192", "192.88.99.1", "168.63.129.16",
        "192.31.196.1", "192.52.193.1", "192.175.48.1", "198.18.0.1", "203.0.113.1", "240.0.0.1", "3fff::1",
        "3fff:fff:ffff::1", "5f00::1", "2001:1::1", "2001:20::1", "2001:4:112::1", "2620:4f:8000::1",
        "3ffe::1", "100::1", "4000::1", "64:ff9b:1::1.1.1.1", "fd00:ec2::254", "100.100.100.200",
        "2606:4700::1111%eth0",
        # IPv4 addresses inside: compatible, translated, mapped, NAT64, 6to4, Teredo and ISATAP.
        "::1.1.1.1", "::ffff:0:1.1.1.1", "::ffff:168.63.129.16", "64:ff9b::c000:1", "2002:c058:6301::1",
        "2002:a83f:8110::1", "2001:0:101:101:8000:63bf:fefe:fefe", "2001:0:4136:e378:8000:63bf:f5ff:fffe",
        "2606:4700::5efe:10.0.0.1", "2606:4700::200:5efe:169.254.169.254", "fe80::5efe:1.1.1.1",
    ],
)  # fmt: skip
def test_private_addresses_are_recognized_in_every_form(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "2606:4700::1111",
        "::ffff:1.1.1.1",
        "2002:101:101::",
        "64:ff9b::101:101",
        "168.63.129.17",
        "192.0.1.1",
        "192.88.98.1",
        "100.128.0.1",
        "172.32.0.1",
        "2001:200::1",
        "2001:4860:4860::8888",
        "2a00:1450::1",
        "2c0f:f248::1",
        "2606:4700::5efe:1.1.1.1",
    ],
)
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("hooks.example.com/x", _WRONG),
        ("https://", _WRONG),
        ("https:///x", _WRONG),
        ("ftp://example.com/", _WRONG),
        ("https://example.com:port/", _WRONG),
        ("https://[::1/", _WRONG),
        ("https://example.com/\n", "must be a URL of at most 2000 visible ASCII characters"),
        ("https://exämple.com/", "must be a URL of at most 2000 visible ASCII characters"),
        ("https://example.com/" + "x" * 2000, "must be a URL of at most 2000 visible ASCII characters"),
        ("https://me:pass@example.com/", "must not contain a user or a password"),
        (
            "http://example.com/",
            "must begin with https://; the operator can allow others in MERGECAST_NOTICE_HOSTS",
        ),
        (
            "https://example.com:8443/",
            "must use port 443; the operator can allow others in MERGECAST_NOTICE_HOSTS",
        ),
    ],
)
def test_a_wrong_url_is_refused_with_what_would_be_right(url: str, message: str) -> None:
    with pytest.raises(InvalidUrl) as refused:
        read_url(url, frozenset({"other.example:8443"}))

    assert message == str(refused.value)


def test_the_operator_can_allow_hosts() -> None:
    allowed = parse_hosts("chat.internal:8443, [::1]:80")

    assert ("chat.internal", 8443, "/a?b=c", True) == read_url("https://chat.internal:8443/a?b=c", allowed)[
        1:
    ]
    assert ("::1", 80, "/", True) == read_url("http://[::1]", allowed)[1:]


@pytest.mark.parametrize(
    "text", ["chat.internal", "chat:0", "chat:99999", "https://chat:443", ":443", "a@b:1"]
)
def test_a_host_of_the_setting_needs_a_port(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a host with a port; write chat\.internal:8443"):
        parse_hosts(text)


def test_only_the_host_of_a_url_is_shown() -> None:
    assert "https://hooks.slack.com/…" == masked_url("https://hooks.slack.com/services/T0/B0/secret?x=y")


@pytest.mark.parametrize("host", ["a..b", f"{'a' * 64}.com"])
def test_a_host_that_no_name_server_can_know_is_not_found(host: str) -> None:
    """Some names are not even asked for, because a part of them is empty or too long."""

    async def post() -> Outcome:
        poster = Poster()
        try:
            return await poster.post(read_url(f"https://{host}/x", frozenset()), b"", {}, 0)
        finally:
            poster.close()

    told = f"the host {host} was not found or is not public; the operator can allow it with "
    assert f"{told}MERGECAST_NOTICE_HOSTS={host}:443" == asyncio.run(post()).detail


def test_a_private_name_gets_the_same_answer_as_one_that_does_not_exist() -> None:
    """Otherwise strangers could find out which names the operator's network has."""

    async def resolve(host: str, _: int) -> list[str]:
        if host == "missing.internal":
            raise gaierror(-2, "Name or service not known")
        return ["10.1.2.3"]

    async def post(host: str, exempt: frozenset[str] = frozenset()) -> Outcome:
        poster = Poster(resolve)
        try:
            return await poster.post(read_url(f"https://{host}/x", exempt), b"", {}, 0)
        finally:
            poster.close()

    missing, private = asyncio.run(post("missing.internal")), asyncio.run(post("private.internal"))

    assert missing == private._replace(detail=private.detail.replace("private.", "missing."))
    allowed = asyncio.run(post("missing.internal", frozenset({"missing.internal:443"})))
    assert "the host missing.internal was not found" == allowed.detail


def test_the_next_address_is_tried_if_one_cannot_be_reached() -> None:
    """A host may have an IPv6 address that this machine has no route to."""

    async def resolve(_: str, __: int) -> list[str]:
        return ["127.0.0.9", "127.0.0.1"]

    async def post(url: str) -> Outcome:
        poster = Poster(resolve)
        try:
            return await poster.post(read_url(url, frozenset({url.removeprefix("http://")})), b"", {}, 0)
        finally:
            poster.close()

    with LocalServer(lambda _: Reply(200)) as receiver:
        assert "127.0.0.1 answered 200" == asyncio.run(post(receiver.url)).detail
        assert 1 == len(receiver.asked)
