"""Run tests many times, in changing order and distribution, and say which failed how often.

`scripts/test --repeat N PATHS…` prepares what they need and calls this. build/repeat has what pytest prints.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

_FOLDER = Path("build") / "repeat"
_INTERRUPTED = 130


def distributions(cores: int) -> Iterator[tuple[int, str]]:
    """How many workers, and how they share the tests; tests have more and fewer neighbours in turn."""
    while True:
        yield cores * 2, "worksteal"
        yield 1, "load"
        yield cores + 1, "load"
        yield cores * 2, "loadfile"


def repeat(times: int, seed: int, arguments: Sequence[str]) -> dict[str, list[int]]:
    """The runs in which each test failed."""
    failures: dict[str, list[int]] = defaultdict(list)
    _FOLDER.mkdir(parents=True, exist_ok=True)
    for number, (workers, way) in zip(range(1, times + 1), distributions(os.cpu_count() or 1), strict=False):
        options = ["--numprocesses", str(workers), "--dist", way, *arguments]
        log = _FOLDER / f"run-{number}.txt"
        failed = _failed(seed + number, options, log)
        for test in failed:
            failures[test].append(number)
        how = f"TEST_ORDER_SEED={seed + number} .venv/bin/pytest {shlex.join(options)}"
        _say(f"run {number} of {times}: {len(failed)} failed, see {log}; {how}")
    return failures


def _failed(seed: int, options: Sequence[str], log: Path) -> list[str]:
    """The tests that fail in one run; pytest's cache lists them."""
    with TemporaryDirectory() as cache, log.open("wb") as output:
        command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", *options]
        environment = {**os.environ, "TEST_ORDER_SEED": str(seed)}
        # The arguments are the developer's own.
        ended = subprocess.run(  # noqa: S603
            command, check=False, stdout=output, stderr=subprocess.STDOUT, env=environment
        )
        listed = Path(cache) / "v" / "cache" / "lastfailed"
        failed = sorted(json.loads(listed.read_bytes())) if listed.exists() else []
    if ended.returncode and not failed:
        return [f"pytest itself, with exit code {ended.returncode},"]
    return failed


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/test --repeat", description=__doc__)
    parser.add_argument("times", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=int(time()), help="repeats the orders of an earlier call")
    options, arguments = parser.parse_known_args()
    try:
        failures = repeat(options.times, options.seed, arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED
    for test, runs in sorted(failures.items(), key=lambda item: -len(item[1])):
        listed = ", ".join(map(str, runs))
        _say(f"{test} failed {len(runs)} of {options.times} times: in run {listed}")
    if not failures:
        _say(f"no test failed in {options.times} runs")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
