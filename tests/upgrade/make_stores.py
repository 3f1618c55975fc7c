"""Makes the stores of a release, as text, with the answers about them: `make_stores.py VERSION`.

`make_stores.py --watched` makes those with everything that warns people. They are larger, so they are
compressed; they are made before a change of what is stored about warnings, and not for each version.
"""

import json
import lzma
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from live_server import live_server
from mergecast.queues.store.opening import FILE_NAME
from postgres.server import new_database, postgres_server
from upgrade import watched
from upgrade.dumps import dump_duckdb, dump_postgres
from upgrade.history import NOW, SECRETS, answers, fill

STORES = Path(__file__).parent / "stores"
WATCHED = Path(__file__).parent / "watched_stores"
MOST_BYTES = 250_000


def make_stores(version: str) -> Path:
    """Write the stores of this program; both must give the same answers."""
    folder = STORES / version
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data, postgres_server() as address:
        url = new_database(address)
        given = [_filled(Path(data, "duckdb")), _filled(Path(data, "postgres"), database_url=url)]
        _write(folder / "duckdb.sql", dump_duckdb(Path(data, "duckdb", FILE_NAME)))
        _write(folder / "postgres.sql", dump_postgres(url))
    if given[0] != given[1]:
        raise SystemExit("the two stores give different answers")
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(answer)}" for name, answer in given[0].items())
    _write(folder / "answers.json", f"{{\n{lines}\n}}\n")
    return folder


def make_watched_stores() -> Path:
    watched.quick_watchers()
    WATCHED.mkdir(exist_ok=True)
    with TemporaryDirectory() as data, postgres_server() as address:
        url = new_database(address)
        given = {"duckdb": _watched(Path(data, "duckdb")), "postgres": _watched(Path(data), database_url=url)}
        dumps = {"duckdb": dump_duckdb(Path(data, "duckdb", FILE_NAME)), "postgres": dump_postgres(url)}
    for name, text in dumps.items():
        (WATCHED / f"{name}.sql.xz").write_bytes(lzma.compress(text.encode()))
        _write(WATCHED / f"{name}.json", json.dumps(given[name], indent=1) + "\n")
    return WATCHED


def _watched(folder: Path, **serving: Any) -> dict[str, object]:
    clock = watched.Clock(watched.PINNED_AT)
    with live_server(folder, now=clock, notices=watched.NOTICES, **serving) as server:
        watched.use_everything(server, clock)
        return watched.known(server)


def _filled(folder: Path, **serving: Any) -> dict[str, object]:
    with live_server(folder, now=lambda: NOW, webhook_secrets=SECRETS, **serving) as server:
        fill(server)
        return answers(server)


def _write(file: Path, text: str) -> None:
    if len(text) > MOST_BYTES:
        raise SystemExit(f"{file.name} would have {len(text):,} bytes; at most {MOST_BYTES:,} are kept")
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    made = make_watched_stores() if sys.argv[1] == "--watched" else make_stores(sys.argv[1])
    sys.stdout.write(f"{made}\n")
