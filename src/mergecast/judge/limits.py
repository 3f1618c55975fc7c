"""What a child may take of the machine; set by the child itself, before it sees a document."""

import ctypes
import os
import re
import resource
import signal
import sys
from pathlib import Path

DEADLINE_SECONDS = 4.0  # for one task; who started the child keeps to it
MEMORY_BYTES = 300 << 20
# Once a child has held this much, the holes in its memory would be missing to the next document.
RESTART_BYTES = 160 << 20
_CPU_SECONDS = 10
_STATUS = Path("/proc/self/status")
_PEAK = re.compile(rb"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_NICE = 10
_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Die with the process that started this one, even in the middle of a document."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit()


def restrict() -> None:
    """No more memory than allowed, no file written, and last in the line for a processor."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def allow_one_task() -> None:
    """Processor time for one more task: the last resort, should nobody be there to end this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + _CPU_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))


def should_restart() -> bool:
    return _most_memory() > RESTART_BYTES


def _most_memory() -> int:
    """The most bytes held so far. What `getrusage` tells counts what the parent held, too, as of its fork."""
    try:
        found = _PEAK.search(_STATUS.read_bytes())
    except OSError:
        found = None
    kilobytes = int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes << 10
