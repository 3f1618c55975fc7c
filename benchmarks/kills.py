"""Does the store survive kills? A writer is killed at random moments, and all is checked after each kill.

    .venv/bin/python benchmarks/kills.py 200

Deliveries, moves of rows between tables, rebuilds and deletes are under way when the process dies. Wanted:
nothing that was acknowledged is lost, doubled or split, and all facts are those of a rebuilt store.
"""

import os
import sys
import tempfile
from pathlib import Path

_TESTS = Path(__file__).parents[1] / "tests"


def main() -> None:
    from store.kills import survive  # noqa: PLC0415 - it is one of the tests, whose folder has to be known first

    with tempfile.TemporaryDirectory() as name:
        survived = survive(Path(name), int(sys.argv[1]), seed=1)
    print(f"{survived.kills} kills survived with {survived.acknowledged} acknowledged deliveries")


if __name__ == "__main__":
    sys.path.insert(0, str(_TESTS))
    os.environ["PYTHONPATH"] = str(_TESTS)
    main()
