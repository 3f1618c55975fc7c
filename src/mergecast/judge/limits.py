"""Resource limits, which a child sets for itself before it reads a document."""

import ctypes
import os
import re
import resource
import signal
import sys
from pathlib import Path

DEADLINE_SECONDS = 4.0  # for one task, enforced by the parent
MEMORY_BYTES = 300 << 20
# A child that has used this much is restarted: fragmented memory would leave the next document too little.
RESTART_BYTES = 160 << 20
_CPU_SECONDS = 10
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


def restrict() -> None:
    """Limit memory, forbid writing files, and lower the priority."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def allow_one_task() -> None:
    """Allow CPU time for one more task. The last resort, in case the parent does not end this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + _CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


def should_restart() -> bool:
    return _peak_memory() > RESTART_BYTES


def _peak_memory() -> int:
    """The peak memory use in bytes. `getrusage` would include what the parent used when it forked."""
    try:
        found = _PEAK.search(_STATUS.read_bytes())
    except OSError:
        found = None
    kilobytes = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes << 10
