"""A child that dies in the middle of a search; started as a program by the tests of its limits."""

import os
from collections.abc import Iterator

from mergecast.judge.limits import FORECAST_LIMITS
from mergecast.judge.messages import SEARCH
from mergecast.sandbox.forking import serve


def _search(_: bytes) -> Iterator[object]:
    yield {"settings": {"batch_size": 1}}
    os._exit(1)


if __name__ == "__main__":
    serve(lambda: {SEARCH: _search}, FORECAST_LIMITS)
