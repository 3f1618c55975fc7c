"""Resource limits, which a child sets for itself before its first task."""

import ctypes
import os
import re
import resource
import signal
import sys
from pathlib import Path
from typing import NamedTuple


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
