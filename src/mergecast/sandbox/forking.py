"""Loads what children need, once, and forks them; each child runs its tasks one after the other."""

import ctypes
import gc
import os
import re
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from mergecast.process.interpreter import search_garbage_seldom
from mergecast.sandbox.errors import Limit
from mergecast.sandbox.fork_server import MESSAGE_BYTES, NEW_CHILD, PID_BITS
from mergecast.sandbox.frames import Question, Reply, Started, frame, read_question


class TaskLimits(NamedTuple):
    """What one task may use. The parent enforces the deadline; the child sets the other limits for itself."""

    deadline_seconds: float
    cpu_seconds: int  # the last resort, in case the parent does not end the child
    memory_bytes: int
    # A child that has used this much is restarted: fragmented memory would leave the next task too little.
    restart_bytes: int


_STATUS = Path("/proc/self/status")
_PEAK = re.compile(rb"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_NICE = 10
_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """End when the parent process ends, even in the middle of a task."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit()


def yield_to_others() -> None:
    """Lower the priority: neither starting nor running a child may delay the server."""
    os.nice(_NICE)


def restrict(limits: TaskLimits) -> None:
    """Limit memory and forbid writing files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))


def allow_one_task(limits: TaskLimits) -> None:
    """Allow CPU time for one more task."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + limits.cpu_seconds
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


def should_restart(limits: TaskLimits) -> bool:
    return _peak_memory() > limits.restart_bytes


def _peak_memory() -> int:
    """The peak memory use in bytes. `getrusage` would include what the parent used when it forked."""
    try:
        found = _PEAK.search(_STATUS.read_bytes())
    except OSError:
        found = None
    kilobytes = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes << 10


Task = Callable[[bytes], object]


def run_tasks(tasks: Mapping[str, Task], limits: TaskLimits) -> None:
    """Report that this process is ready, and run the tasks that arrive on standard input."""
    with os.fdopen(0, "rb") as incoming, os.fdopen(os.dup(0), "wb", buffering=0) as outgoing:
        _send(outgoing, frame(Started(os.getpid())))
        while (question := read_question(incoming)) is not None:
            allow_one_task(limits)
            reply, result = _run(tasks, question, outgoing)
            if should_restart(limits):
                reply = msgspec.structs.replace(reply, should_restart=True)
            _send(outgoing, frame(reply))
            _send(outgoing, result)


def _run(tasks: Mapping[str, Task], question: Question, outgoing: FileIO) -> tuple[Reply, bytearray]:
    try:
        result = tasks[question.task](question.given)
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


def serve(load: Callable[[], Mapping[str, Task]], limits: TaskLimits) -> None:
    """Load the table of tasks, and fork a child for each channel that arrives on standard input."""
    end_with(int(sys.argv[1]))
    yield_to_others()
    control = socket.socket(fileno=0)
    try:
        tasks = load()
        restrict(limits)
    except Exception:  # noqa: BLE001 - the server logs it
        _refuse(control, traceback.format_exc())
        return
    # Loaded modules stay in memory, so the garbage collector need not look at them again.
    gc.collect()
    gc.freeze()
    search_garbage_seldom()
    _fork_children(control, tasks, limits)


def _refuse(control: socket.socket, error: str) -> None:
    """Report why there is no child."""
    _, channels, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 1)
    for channel in channels:
        os.write(channel, frame(Started(error=error)))


def _fork_children(control: socket.socket, tasks: Mapping[str, Task], limits: TaskLimits) -> None:
    """Fork children and pass signals on to them until the server closes the connection."""
    own_pid = os.getpid()
    children: set[int] = set()
    while True:
        message, channels, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 1)
        if not message:
            return
        _reap(children)
        if message != NEW_CHILD:
            number, pid = divmod(int.from_bytes(message, "big"), 1 << PID_BITS)
            _pass_on(number, pid, children)
            continue
        child = os.fork()
        if child == 0:
            _be_child(channels[0], own_pid, tasks, limits)
        os.close(channels[0])
        children.add(child)


def _reap(children: set[int]) -> None:
    for pid in sorted(children):
        if os.waitpid(pid, os.WNOHANG)[0]:
            children.discard(pid)


def _pass_on(number: int, pid: int, children: set[int]) -> None:
    """Send a signal to a child, unless it has ended."""
    if pid not in children:
        return
    os.kill(pid, number)
    if number == signal.SIGKILL:
        os.waitpid(pid, 0)
        children.discard(pid)


def _be_child(channel: int, fork_server: int, tasks: Mapping[str, Task], limits: TaskLimits) -> NoReturn:
    """Run tasks in the new process, which never returns to the loop of the old one."""
    try:
        with suppress(OSError):  # the server has gone
            os.dup2(channel, 0)
            os.close(channel)
            end_with(fork_server)
            run_tasks(tasks, limits)
    finally:
        os._exit(0)
