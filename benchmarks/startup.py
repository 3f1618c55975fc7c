"""How long do commands take to start? Prints the ratios that the tests of the command line promise.

    python benchmarks/startup.py

`--version`, `--help` and completion should take at most 3 times `python -c "import typer"`; `check` on a
typical document at most twice the time in which its child process imports its modules.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 9
_DOCUMENT = Path(__file__).parents[1] / "src" / "mergecast" / "demo" / "harbor.yml"
_COMPLETION = {"_MERGECAST_COMPLETE": "complete_bash", "COMP_WORDS": "mergecast st", "COMP_CWORD": "1"}
_PROGRAM = str(Path(sys.executable).with_name("mergecast"))
_IMPORT_TYPER = [sys.executable, "-c", "import typer"]
_IMPORT_CHILD = [sys.executable, "-I", "-c", "from mergecast.judge.child.tasks import warm_up; warm_up()"]


def seconds(command: list[str], environment: dict[str, str] | None = None) -> float:
    started = time.perf_counter()
    subprocess.run(command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def main() -> None:
    commands = {
        "import typer": (_IMPORT_TYPER, None),
        "--version": ([_PROGRAM, "--version"], None),
        "--help": ([_PROGRAM, "--help"], None),
        "completion": ([_PROGRAM], _COMPLETION),
        "child's imports": (_IMPORT_CHILD, None),
        "check": ([_PROGRAM, "check", str(_DOCUMENT)], None),
    }
    # Taken in turns, so that a busy moment of the machine concerns all of them.
    rounds = [{name: seconds(*command) for name, command in commands.items()} for _ in range(ROUNDS)]
    medians = {name: statistics.median(one[name] for one in rounds) for name in commands}
    for name, reference, limit in (
        ("--version", "import typer", 3),
        ("--help", "import typer", 3),
        ("completion", "import typer", 3),
        ("check", "child's imports", 2),
    ):
        ratio = medians[name] / medians[reference]
        print(
            f"{name:<12}{medians[name] * 1000:5.0f} ms   {ratio:.2f} times {reference} "
            f"({medians[reference] * 1000:.0f} ms); at most {limit}"
        )


if __name__ == "__main__":
    main()
