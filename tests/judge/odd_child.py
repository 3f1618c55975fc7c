"""A child whose tasks misbehave in every way; started as a program by the tests of the pool."""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from mergecast.judge.limits import DOCUMENT_LIMITS
from mergecast.sandbox.forking import serve


class Given(msgspec.Struct, frozen=True):
    """The input of a task: a text and a number."""

    text: str = ""
    number: float = 0


def _hold(given: Given) -> object:
    """Hold that many MiB for the moment."""
    block = bytearray(int(given.number) << 20)
    block[::4096] = b"x" * len(block[::4096])
    return len(block) >> 20


def _spin(_: Given) -> object:
    while True:
        pass


def _wait_for_file(given: Given) -> object:
    """Make another one first: the caller knows that the task has begun. A child may create an empty file."""
    Path(f"{given.text} is awaited").touch()
    while not Path(given.text).exists():
        time.sleep(0.01)
    return None


def _fail(_: Given) -> object:
    raise ValueError("odd")


_TASKS: dict[str, Callable[[Given], object]] = {
    "echo": lambda given: given,
    "pid": lambda _: os.getpid(),
    "sleep": lambda given: time.sleep(given.number),
    "spin": _spin,
    "wait": _wait_for_file,
    "die": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "hold": _hold,
    "fail": _fail,
    "environment": lambda _: dict(os.environ),
    "arguments": lambda _: sys.argv[1:],
    "files": lambda _: sorted(os.listdir("/proc/self/fd")),  # noqa: PTH208
    "nice": lambda _: os.nice(0),
    "write": lambda given: Path(given.text).write_bytes(b"x"),
}


def _load() -> Mapping[str, Callable[[bytes], object]]:
    return {name: _of_bytes(task) for name, task in _TASKS.items()}


def _of_bytes(task: Callable[[Given], object]) -> Callable[[bytes], object]:
    return lambda given: task(msgspec.json.decode(given, type=Given))


if __name__ == "__main__":
    serve(_load, DOCUMENT_LIMITS)
