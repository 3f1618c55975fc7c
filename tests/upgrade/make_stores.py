"""Makes the stores of a release, as text, with the answers about them: `make_stores.py VERSION`."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from live_server import live_server
from mergecast.queues.store.opening import FILE_NAME
from postgres.server import new_database, postgres_server
from upgrade.dumps import dump_duckdb, dump_postgres
from upgrade.history import NOW, SECRETS, answers, fill

STORES = Path(__file__).parent / "stores"
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


def _filled(folder: Path, **serving: Any) -> dict[str, object]:
    with live_server(folder, now=lambda: NOW, webhook_secrets=SECRETS, **serving) as server:
        fill(server)
        return answers(server)


def _write(file: Path, text: str) -> None:
    if len(text) > MOST_BYTES:
        raise SystemExit(f"{file.name} would have {len(text):,} bytes; at most {MOST_BYTES:,} are kept")
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.stdout.write(f"{make_stores(sys.argv[1])}\n")
