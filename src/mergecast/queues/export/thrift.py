"""Encodes values in Thrift's compact protocol, in which Parquet files describe themselves.

A struct is a dict from field numbers to values. Integers are `I32` or `I64`, because readers skip a field of
another type than they expect.
"""

from typing import Any

_TRUE, _FALSE, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 5, 6, 8, 9, 12
_LONGEST_STEP = _LONG_LIST = 15


class I32(int):
    __slots__ = ()


class I64(int):
    __slots__ = ()


class Encoded(bytes):
    """A struct that is encoded already."""

    __slots__ = ()


def varint(number: int) -> bytes:
    """Seven bits per byte, the lowest first.

    >>> varint(300).hex()
    'ac02'
    """
    out = bytearray()
    while number > 0x7F:  # noqa: PLR2004
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def struct(fields: dict[int, Any]) -> Encoded:
    """Fields are in the order of their numbers, which differ by at most 15.

    >>> struct({1: I32(-1), 3: "é", 4: True}).hex()
    '15012802c3a91100'
    """
    out, last = bytearray(), 0
    for number, value in fields.items():
        if not 0 < number - last <= _LONGEST_STEP:
            raise ValueError(f"field {number} cannot follow field {last}")
        out.append((number - last) << 4 | _type(value))
        if not isinstance(value, bool):
            out += _value(value)
        last = number
    return Encoded(bytes(out) + b"\0")


def _type(value: Any) -> int:
    match value:
        case bool():
            return _TRUE if value else _FALSE
        case I32():
            return _I32
        case I64():
            return _I64
        case str():
            return _BINARY
        case list():
            return _LIST
        case dict() | Encoded():
            return _STRUCT
    raise TypeError(f"{type(value).__name__} has no encoding")


def _value(value: Any) -> bytes:
    match value:
        case int():
            return varint(value << 1 if value >= 0 else ~(value << 1))
        case str():
            text = value.encode()
            return varint(len(text)) + text
        case list():
            kind = _type(value[0]) if value else _STRUCT
            short = len(value) < _LONG_LIST
            head = bytes([len(value) << 4 | kind]) if short else bytes([0xF0 | kind]) + varint(len(value))
            return head + b"".join(_value(item) for item in value)
        case Encoded():
            return value
    return struct(value)
