"""The CPU time of another process: unlike real time, it hardly depends on what else the machine does."""

import os
import time
from pathlib import Path

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def cpu_time(pid: int) -> float:
    """Seconds that a process has used so far, in steps of a hundredth; 0 if it has ended."""
    return _seconds(pid, 11, 13)


def precise_cpu_time(pid: int) -> float:
    """Seconds that a running process has used so far, in nanoseconds: Linux has a clock for each process."""
    return time.clock_gettime((~pid << 3) | 2)


def cpu_time_of_ended_children(pid: int) -> float:
    return _seconds(pid, 13, 15)


def _seconds(pid: int, first: int, end: int) -> float:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    # The name of the program, in parentheses, may contain anything.
    return sum(map(int, status.rpartition(")")[2].split()[first:end])) / _TICKS_PER_SECOND
