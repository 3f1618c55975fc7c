"""The main loop of a child: runs one task after the other until the server closes the connection."""

import os
import traceback
from collections.abc import Callable, Generator, Mapping
from io import FileIO

import msgspec

from mergecast.judge.errors import Limit
from mergecast.judge.frames import Reply, Started, Work, frame, read_frame
from mergecast.judge.limits import TaskLimits, allow_one_task, should_restart

Task = Callable[[bytes], object]


def run_tasks(tasks: Mapping[str, Task], limits: TaskLimits) -> None:
    """Report that this process is ready, and run the tasks that arrive on standard input."""
    with os.fdopen(0, "rb") as incoming, os.fdopen(os.dup(0), "wb", buffering=0) as outgoing:
        _send(outgoing, frame(Started(os.getpid())))
        while (work := read_frame(incoming)) is not None:
            allow_one_task(limits)
            reply, result = _run(tasks, work, outgoing)
            if should_restart(limits):
                reply = msgspec.structs.replace(reply, should_restart=True)
            _send(outgoing, frame(reply))
            _send(outgoing, result)


def _run(tasks: Mapping[str, Task], work: bytes, outgoing: FileIO) -> tuple[Reply, bytearray]:
    try:
        asked = msgspec.json.decode(work, type=Work)
        result = tasks[asked.task](bytes(asked.given))
        if isinstance(result, Generator):
            result = _report(result, outgoing)
        return Reply(), frame(result)
    except MemoryError:
        return Reply(limit=Limit.MEMORY.name, should_restart=True), frame(None)
    except Exception:  # noqa: BLE001 - reported as an internal error
        return Reply(error=traceback.format_exc(), should_restart=True), frame(None)


def _report(steps: Generator[object, None, object], outgoing: FileIO) -> object:
    """Send what a task yields as its progress; the result is what it returns."""
    while True:
        try:
            progress = frame(next(steps))
        except StopIteration as end:
            return end.value
        _send(outgoing, frame(Reply(is_progress=True)))
        _send(outgoing, progress)


def _send(outgoing: FileIO, framed: bytearray) -> None:
    rest = memoryview(framed)
    while rest:
        rest = rest[outgoing.write(rest) :]
