"""Values that few parameters and fields accept, and texts that are not JSON."""

from collections.abc import Mapping
from typing import Any

JSON = "application/json"

WRONG_SEGMENTS = {
    "owner": ("-", "a_b", "x" * 41, "acme%2Fx", "acme%0A", "%C3%A9", "%FF", "%00"),
    "repository": ("..", ".", "a%20b", "x" * 101, "%F0%9F%98%80", "a%2Fb", "%00"),
    "number": ("-1", "1.5", "0x1", "1_0", "%20", "9" * 30, "9223372036854775808", "%D9%A3", "7%00"),
    "source": ("gitea", "GitHub", "%20", "github%00"),
    "table": ("users", "Stays", "%20", "stays%00"),
    "id": ("x", "%00", "f" * 300),
}
WRONG_TEXTS = (
    "", " ", "x", "a\0b", "x" * 256, "\u00e9" * 256, "-1", "0", "00", "001", "1.5", "1e3", " 1", "1_0",
    "\u0663", "9" * 30, "1000", "1001", "true", "TRUE", "null", "yes", "2026-01-01", "2026-13-01T00:00:00Z",
    "1767225600", "2026-01-01T00:00:00 01:00", "2026-01-01T24:00:01Z", "2999-01-01T00:00:00Z", "at", "-AT",
    "2026-03-02T10:00:00Z", "2026-03-02T11:00:00+02:00", "seconds", "[1]", "\U0001f600",
)  # fmt: skip
WRONG_NAMES = (
    "unknown", "Start_at", "start", "startat", "base-ref", "base_refs", "queue", "limt", "ordre", "atx", "",
    "x" * 300, "\u00e9", "intervals ", "a\0b", "branches", "sources", "number", "owner",
)  # fmt: skip
WRONG_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1.5, 1e300, 1001, 2**53 + 1, 2**63 - 1, 2**63, 10**30, "", " ", "x", "a\0b",
    "x" * 101, "x" * 256, "\u00e9" * 300, "\u200b", [], [""], ["a", "a"], [1, 1], [1, -1], [True], [None],
    [[]], {}, {"a": 1}, {"": {}}, "2026-01-01", "2026-13-01T00:00:00Z", "1767225600", 1767225600, "true", "1",
    "2026-03-02T10:00:00Z", "2999-01-01T00:00:00Z", "0001-01-01T00:00:00Z", list(range(1001)), ["x"] * 101,
    {"x" * 300: 1},
)  # fmt: skip
MALFORMED = (
    b"", b" ", b"{", b"[", b"]", b"nul", b"null", b"true", b"1", b'"x"', b"{}", b"[]", b"[[]]", b"[1]",
    b"{]}", b'{"a":}', b'{"a" 1}', b'{"a": 1,}', b"{'a': 1}", b'{"a": 01}', b'{"a": NaN}', b'{"a": 1} x',
    b"\xef\xbb\xbf{}", b'{"a": "\xff"}', b'{"\xff": 1}', rb'{"a": "\ud800"}', rb'{"\udc00": 1}',
    rb'{"a": "\x"}', b'{"a": "\1"}', b"[" * 100_000, b'{"a":' * 100_000, b'{"a": 1e999}',
    b'{"a": "' + b"x" * 70_000 + b'"}',
    b"{1: 2}",
)  # fmt: skip
WRONG_HEADERS: tuple[Mapping[str, str], ...] = (
    {},
    {"Content-Type": "text/plain"},
    {"Content-Type": "application/jsonx"},
    {"Content-Type": "x" * 200},
    {"Content-Type": f"{JSON}; charset=latin-1"},
    {"Content-Type": f"{JSON}, {JSON}"},
    {"Content-Type": ";"},
    {"Content-Type": JSON, "Content-Encoding": "br"},
    {"Content-Type": JSON, "Content-Encoding": "gzip"},
    {"Content-Type": "application/x-ndjson"},
)
