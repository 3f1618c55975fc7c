"""A child whose forecasts last until a test lets them end; started as a program: FOLDER, then its parent.

A task leaves a folder `begun-PID`, and ends when there is a folder `go`. Recommendations and explanations
report progress up to the highest number that has a folder, of 25, and leave a folder `PID-NUMBER` for each
that was sent.
"""

import os
import sys
import time
from collections.abc import Generator
from pathlib import Path

from mergecast.judge.limits import FORECAST_LIMITS
from mergecast.judge.messages import (
    CAPACITY,
    EXPECTED_MERGES,
    EXPLANATION,
    FORECAST,
    RECOMMENDATION,
    SEARCH,
    ExpectedMergesAnswer,
    ForecastAnswer,
    RecommendationProgress,
)
from mergecast.sandbox.forking import serve

_TOTAL = 25


def _held(folder: Path) -> ForecastAnswer:
    _leave(folder / f"begun-{os.getpid()}")
    _wait_for(folder / "go")
    return ForecastAnswer(too_little="the test has let it end")


def _held_merges(folder: Path) -> ExpectedMergesAnswer:
    _held(folder)
    return ExpectedMergesAnswer(is_too_little=True)


def _with_progress(folder: Path) -> Generator[object, None, ForecastAnswer]:
    _leave(folder / f"begun-{os.getpid()}")
    for done in range(1, _TOTAL + 1):
        _wait_for(folder / "go", *(folder / str(number) for number in range(done, _TOTAL + 1)))
        yield RecommendationProgress(done, _TOTAL)
        _leave(folder / f"{os.getpid()}-{done}")
    return _held(folder)


def _leave(mark: Path) -> None:
    mark.mkdir(exist_ok=True)


def _wait_for(*marks: Path) -> None:
    while not any(mark.is_dir() for mark in marks):
        time.sleep(0.01)


if __name__ == "__main__":
    held = Path(sys.argv.pop(1))
    tasks = dict.fromkeys((FORECAST, SEARCH, CAPACITY), lambda _: _held(held))
    reporting = dict.fromkeys((RECOMMENDATION, EXPLANATION), lambda _: _with_progress(held))
    merges = {EXPECTED_MERGES: lambda _: _held_merges(held)}
    serve(lambda: {**tasks, **reporting, **merges}, FORECAST_LIMITS)
