"""Loads what children need, once, and forks them."""

import gc
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NoReturn

from mergecast.judge.child.loop import Task, run_tasks
from mergecast.judge.fork_server import NEW_CHILD, PID_BYTES
from mergecast.judge.frames import Started, frame
from mergecast.judge.limits import TaskLimits, end_with, restrict, yield_to_others


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
    _fork_children(control, tasks, limits)


def _refuse(control: socket.socket, error: str) -> None:
    """Report why there is no child."""
    _, channels, _, _ = socket.recv_fds(control, PID_BYTES, 1)
    for channel in channels:
        os.write(channel, frame(Started(error=error)))


def _fork_children(control: socket.socket, tasks: Mapping[str, Task], limits: TaskLimits) -> None:
    """Fork and kill children until the server closes the connection."""
    own_pid = os.getpid()
    children: set[int] = set()
    while True:
        message, channels, _, _ = socket.recv_fds(control, PID_BYTES, 1)
        if not message:
            return
        _reap(children)
        if message != NEW_CHILD:
            _kill(int.from_bytes(message, "big"), children)
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


def _kill(pid: int, children: set[int]) -> None:
    if pid in children:
        os.kill(pid, signal.SIGKILL)
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
