"""Values that requests should not have, and ways to spoil a valid JSON body."""

import json
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import quote

_MOST_CHANGES = 3

# For path segments and query values, as bytes before they are percent-encoded.
ODD_BYTES = (
    b"", b"\0", b"a\0b", b"\xed\xa0\x80", b"\xff\xfe", b"\xc0\x80", b"a" * 256, "é".encode() * 200,
    b"a" * 5000, b"..", b".", b"%", b"%00", b"/", b"\\", b"'", b'"', b"';--", b"*", b"?", b"{}", b"\r\n",
    b"\t", b" main ", b"0", b"-1", b"-0", b"007", b"1.5", b"1e9", b"+1", b"0x10", b"NaN",
    b"2147483647", b"2147483648", b"4294967296", b"9007199254740993", b"9223372036854775807",
    b"9223372036854775808", b"-9223372036854775809", b"9" * 40, b"9" * 400, "٣".encode(), "①".encode(),
    b"0001-01-01T00:00:00Z", b"9999-12-31T23:59:59.999999Z", b"0000-00-00T00:00:00Z", b"-62135596800",
    b"0001-01-01T00:00:00+14:00", b"9999-12-31T23:59:59-14:00", b"2026-03-02", b"2026-02-30T00:00:00Z",
    b"2026-03-02T10:00:00", b"2026-03-02T10:00:60Z", b"-292277-01-01T00:00:00Z", b"10000-01-01T00:00:00Z",
    b"1583020800", b"1583020800.5", b"253402300800", b"1e18", b"null", b"main", b"Main", b"default", b"acme",
    "İ".encode(), "ß".encode(), "e\u0301".encode(), "\u202e".encode(), "\ufeff".encode(), "\uffff".encode(),
    "\U0001f600".encode(), b"widgets", b"Infinity", b"-Infinity", b"true",
)  # fmt: skip

_ODD_TEXTS = (
    "", "\0", "a\0b", "\ud800", "\udfff", "x" * 256, "é" * 256, "x" * 70_000, "..", "a/b", "a\nb", "\\",
    "\\N", "\\x00", "\u202e", "\U0001f600", "\uffff", "İ", "9" * 30, "-1", "NaN", "main", "null", "{}", "a,b",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59-14:00", "'", "?",
    "2026-02-30T00:00:00Z", "10000-01-01T00:00:00Z", "2026-03-02T10:00:00.0000001Z", "2026-03-02T10:00:00Z",
)  # fmt: skip
_ODD_NUMBERS = (
    0, -1, 1, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**30,
    10**400, 0.5, 1e308, -1e308, 1e-320, 1.0, float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
_ODD_OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None], {"": ""}, {"\0": 1}, [0] * 300)


def odd_segment(chance: Random) -> str:
    """An odd value as it is written in a path or a query."""
    return quote(chance.choice(ODD_BYTES), safe="")


def odd_json(chance: Random, example: Any) -> bytes:
    """A valid body with up to three odd places, or with damaged bytes."""
    value = json.loads(json.dumps(example))
    for _ in range(chance.randint(0, _MOST_CHANGES)):
        value = _changed(chance, value)
    # Escapes let lone surrogates through, which UTF-8 does not.
    text = json.dumps(value, ensure_ascii=chance.random() < 0.7)
    body = text.encode("utf-8", "surrogatepass")
    return _damaged(chance, body) if chance.random() < 0.1 else body


def _changed(chance: Random, value: Any) -> Any:
    """The value with one place inside it changed."""
    inner = list(_keys(value))
    if not inner or chance.random() < 0.1:
        return _odd_value(chance)
    key = chance.choice(inner)
    change = chance.random()
    if change < 0.1:
        del value[key]
    elif change < 0.2:
        _repeat(chance, value, key)
    elif change < 0.5 or not list(_keys(value[key])):
        value[key] = _odd_value(chance)
    else:
        value[key] = _changed(chance, value[key])
    return value


def _keys(value: Any) -> Any:
    if isinstance(value, dict):
        return value.keys()
    return range(len(value)) if isinstance(value, list) else ()


def _repeat(chance: Random, value: Any, key: Any) -> None:
    """The same content once more: under another name, or further back in the list."""
    if isinstance(value, list):
        value.append(value[key])
    else:
        value[chance.choice(_ODD_TEXTS)] = value[key]


def _odd_value(chance: Random) -> Any:
    kinds = (_ODD_TEXTS, _ODD_TEXTS, _ODD_NUMBERS, _ODD_OTHERS)
    return json.loads(json.dumps(chance.choice(chance.choice(kinds))))


def _damaged(chance: Random, body: bytes) -> bytes:
    ways: tuple[Callable[[bytes, int], bytes], ...] = (
        lambda text, at: text[:at],
        lambda text, at: text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :],
        lambda text, at: text[:at] + chance.choice(ODD_BYTES) + text[at:],
        lambda text, at: b"\xef\xbb\xbf" + text[at:],
        lambda text, at: b"[" * at + text,
    )
    return chance.choice(ways)(body, chance.randrange(len(body) + 1))
