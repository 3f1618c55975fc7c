"""Does the store survive kills? Processes are killed at random moments, and all is checked after each kill.

    .venv/bin/python benchmarks/kills.py WHAT KILLS [SEED]

WHAT is killed: `embedded` (a writer on the embedded store), `postgres` (a writer on PostgreSQL), `database`
(PostgreSQL itself, and then its writer), or `copy` (a copy from the embedded store to PostgreSQL).
Deliveries, rebuilds and deletes are under way when the process dies. Wanted:
nothing that was acknowledged is lost, doubled or split, and all facts are those of a rebuilt store.
PostgreSQL 15 must be installed.
"""

import os
import sys
import tempfile
from pathlib import Path

_TESTS = Path(__file__).parents[1] / "tests"


def main(what: str, kills: int, seed: int) -> None:
    # These are tests, whose folder has to be known first.
    from postgres.server import database_process  # noqa: PLC0415
    from store.kills import Place, Survived, survive, survive_copying  # noqa: PLC0415

    def run(folder: Path) -> Survived:
        if what == "embedded":
            return survive(Place(folder), kills, seed)
        with database_process() as database:
            place = Place(folder, database.address)
            if what == "copy":
                return survive_copying(Place(folder), place, kills, seed)
            return survive(place, kills, seed, database if what == "database" else None)

    with tempfile.TemporaryDirectory() as name:
        survived = run(Path(name))
    print(f"{what}: {survived.kills} kills survived with {survived.acknowledged} acknowledged deliveries")


if __name__ == "__main__":
    sys.path.insert(0, str(_TESTS))
    os.environ["PYTHONPATH"] = str(_TESTS)
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
