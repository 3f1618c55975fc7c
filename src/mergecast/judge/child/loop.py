"""The main loop of a child: runs one task after the other until the parent closes the connection."""

import gc
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from io import FileIO

import msgspec

from mergecast.judge.errors import Limit
from mergecast.judge.frames import Reply, Work, frame, read_frame
from mergecast.judge.limits import allow_one_task, end_with, restrict, should_restart

Task = Callable[[bytes], object]


def serve(load: Callable[[], Mapping[str, Task]]) -> None:
    """Load the table of tasks, report that this is done, and run the tasks that arrive on standard input."""
    end_with(int(sys.argv[1]))
    with os.fdopen(0, "rb") as incoming, os.fdopen(os.dup(0), "wb", buffering=0) as outgoing:
        try:
            tasks = load()
            restrict()
        except Exception:  # noqa: BLE001 - the parent logs it
            _send(outgoing, frame(Reply(error=traceback.format_exc())))
            return
        # Loaded modules stay in memory, so the garbage collector need not look at them again.
        gc.collect()
        gc.freeze()
        _send(outgoing, frame(Reply()))
        while (work := read_frame(incoming)) is not None:
            allow_one_task()
            reply, result = _run(tasks, work)
            _send(outgoing, frame(reply))
            _send(outgoing, result)


def _run(tasks: Mapping[str, Task], work: bytes) -> tuple[Reply, bytearray]:
    try:
        asked = msgspec.json.decode(work, type=Work)
        result = frame(tasks[asked.task](bytes(asked.given)))
        return Reply(should_restart=should_restart()), result
    except MemoryError:
        return Reply(limit=Limit.MEMORY.name, should_restart=True), frame(None)
    except Exception:  # noqa: BLE001 - reported as an internal error
        return Reply(error=traceback.format_exc(), should_restart=True), frame(None)


def _send(outgoing: FileIO, framed: bytearray) -> None:
    rest = memoryview(framed)
    while rest:
        rest = rest[outgoing.write(rest) :]
