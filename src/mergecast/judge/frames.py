"""The protocol between the processes: frames of four bytes of length, followed by that much JSON.

A child first says that it is ready. A question is one frame. An answer is two frames: how the task went, and
its result. A long task may report its progress before that, each time in two frames as well.
"""

from typing import BinaryIO

import msgspec

from mergecast.judge.errors import ChildEnded

LENGTH_BYTES = 4
# A document of 1,048,576 characters can take 6 MiB as JSON, and its errors and deprecations more.
LONGEST_FRAME = 64 << 20


class Question(msgspec.Struct, frozen=True):
    """The name of a task, and its input."""

    task: str
    given: msgspec.Struct


class Work(msgspec.Struct, frozen=True):
    """A question as the child receives it: each task decodes its own input."""

    task: str
    given: msgspec.Raw


class Started(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first frame: the id of the child, or why there is none."""

    pid: int = 0
    error: str | None = None  # a traceback


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a task went; the result follows in a second frame."""

    limit: str | None = None  # the name of the limit that was exceeded
    error: str | None = None  # a traceback
    should_restart: bool = False  # the child holds too much memory for the next task
    is_progress: bool = False  # the second frame is not the result: the task continues


def frame(content: object) -> bytearray:
    framed = bytearray(LENGTH_BYTES)
    # Encoded into the same buffer, so that the document is copied only once.
    msgspec.json.Encoder().encode_into(content, framed, LENGTH_BYTES)
    framed[:LENGTH_BYTES] = (len(framed) - LENGTH_BYTES).to_bytes(LENGTH_BYTES, "big")
    return framed


def length_of(head: bytes) -> int:
    length = int.from_bytes(head, "big")
    if length > LONGEST_FRAME:
        raise ChildEnded(f"a frame of {length} bytes was announced")
    return length


def read_frame(channel: BinaryIO) -> bytes | None:
    """The next frame of a blocking channel; None at its end."""
    head = channel.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    length = length_of(head)
    body = channel.read(length)
    return body if len(body) == length else None
