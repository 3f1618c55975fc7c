"""What travels between the processes: a length of four bytes, then that much JSON.

A question is one frame; an answer is two, the second of which is read only where its content is wanted.
"""

from typing import BinaryIO

import msgspec

from mergecast.judge.errors import ChildEnded

LENGTH_BYTES = 4
# A document of 1,048,576 characters can take 6 MiB as JSON; what is found in it, more.
LONGEST_FRAME = 64 << 20


class Question(msgspec.Struct, frozen=True):
    """One task of the table, and what it is given."""

    task: str
    given: msgspec.Struct


class Work(msgspec.Struct, frozen=True):
    """The same as it arrives: the task knows how to read what it is given."""

    task: str
    given: msgspec.Raw


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a task went; its result follows in a frame of its own."""

    limit: str | None = None  # the name of the limit that was reached
    error: str | None = None  # a traceback
    should_restart: bool = False  # the child holds too much memory for the next task


def frame(content: object) -> bytearray:
    framed = bytearray(LENGTH_BYTES)
    # Into the same buffer: a document is copied once.
    msgspec.json.Encoder().encode_into(content, framed, LENGTH_BYTES)
    framed[:LENGTH_BYTES] = (len(framed) - LENGTH_BYTES).to_bytes(LENGTH_BYTES, "big")
    return framed


def length_of(head: bytes) -> int:
    length = int.from_bytes(head, "big")
    if length > LONGEST_FRAME:
        raise ChildEnded(f"a frame of {length} bytes was announced")
    return length


def read_frame(channel: BinaryIO) -> bytes | None:
    """The next frame of a channel that may be waited for; None at its end."""
    head = channel.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    length = length_of(head)
    body = channel.read(length)
    return body if len(body) == length else None
