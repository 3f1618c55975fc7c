"""The two clocks: what time it is, and how much time has passed.

Only the second one measures durations: the first may be set forward or back at any moment.
"""

import time


def now_in_microseconds() -> int:
    """Microseconds since the epoch."""
    return time.time_ns() // 1000


def passed_in_microseconds() -> int:
    """Microseconds since an arbitrary moment; this clock is never set."""
    return time.monotonic_ns() // 1000
