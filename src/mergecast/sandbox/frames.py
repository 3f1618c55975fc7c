"""The protocol between the processes: frames of four bytes of length, followed by that much JSON.

A child first says that it is ready. A question is two frames: the name of a task, and its input. The input
is JSON unless it is the body of a request. An answer is two frames: how the task went, and its result. A
long task may report its progress before that, each time in two frames as well.
"""

from typing import BinaryIO, NamedTuple

import msgspec

from mergecast.sandbox.errors import ChildEnded

LENGTH_BYTES = 4
# A document of 1,048,576 characters can take 6 MiB as JSON, and its errors and deprecations more.
LONGEST_FRAME = 64 << 20


class Question(NamedTuple):
    """The name of a task, and its input as the child receives it: each task decodes its own."""

    task: str
    given: bytes

    def frames(self) -> tuple[bytes | bytearray, ...]:
        """In several parts, so that the input, which may be long, is not copied."""
        return frame(self.task), _head(len(self.given)), self.given


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
    # Encoded into the same buffer, so that the content is copied only once.
    msgspec.json.Encoder().encode_into(content, framed, LENGTH_BYTES)
    framed[:LENGTH_BYTES] = _head(len(framed) - LENGTH_BYTES)
    return framed


def _head(length: int) -> bytes:
    return length.to_bytes(LENGTH_BYTES, "big")


def length_of(head: bytes) -> int:
    length = int.from_bytes(head, "big")
    if length > LONGEST_FRAME:
        raise ChildEnded(f"a frame of {length} bytes was announced")
    return length


def read_question(channel: BinaryIO) -> Question | None:
    """The next question; None when the server has closed the channel."""
    task, given = read_frame(channel), read_frame(channel)
    if task is None or given is None:
        return None
    return Question(msgspec.json.decode(task, type=str), given)


def read_frame(channel: BinaryIO) -> bytes | None:
    """The next frame of a blocking channel; None at its end."""
    head = channel.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    length = length_of(head)
    body = channel.read(length)
    return body if len(body) == length else None
