"""JSON objects whose values stay encoded."""

import time

import msgspec
import pytest

from mergecast.errors import InvalidInput
from mergecast.inputs.json_object import decode_json

_HALF = "the body is not valid JSON: half of a surrogate pair in a string"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (rb"\ud800", _HALF),
        (rb"\ud800, and more", _HALF),
        (rb"\ud800\n and more", _HALF),
        (rb"\ud800\u0041", _HALF),
        (rb"\ud83d\ude00\udc00", _HALF),
        (rb"\ud83dx\ude00", _HALF),
        (b"\1", "the body is not valid JSON: invalid character (byte 7)"),
        (rb"\ud83d\ude00\u12zz", "the body is not valid JSON: invalid character in unicode escape (byte 24)"),
    ],
)
def test_text_that_is_not_valid(text: bytes, message: str) -> None:
    """The message says what is wrong, and not that data is missing."""
    with pytest.raises(InvalidInput) as refused:
        decode_json(b'{"a": "%b"}' % text, dict[str, msgspec.Raw], "")

    assert [message] == [error.message for error in refused.value.errors]


def test_an_error_after_many_surrogate_pairs() -> None:
    """Finding the message takes no longer than decoding."""
    for ending in (b"\1", b""):
        body = b'"' + rb"\ud83d\ude00" * (1 << 18) + ending
        ratio = min(_explaining(body) / _decoding(body) for _ in range(3))

        assert ratio < 5


def _decoding(body: bytes) -> float:
    begun = time.thread_time()
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(body, type=msgspec.Raw)
    return time.thread_time() - begun


def _explaining(body: bytes) -> float:
    begun = time.thread_time()
    with pytest.raises(InvalidInput):
        decode_json(body, msgspec.Raw, "")
    return time.thread_time() - begun
