"""A child that forecasts with hardly any memory; started as a program by the tests of its limits."""

import os
from pathlib import Path

from mergecast.judge.child.forecasting import _tasks
from mergecast.judge.limits import FORECAST_LIMITS
from mergecast.sandbox.forking import serve

_SPARE = 10 << 20  # enough to read a question, not to answer it


def _address_space() -> int:
    """What the loaded libraries take, in bytes."""
    pages, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    serve(_tasks, FORECAST_LIMITS._replace(memory_bytes=_address_space() + _SPARE))
