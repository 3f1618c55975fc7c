"""A database that has lost a page."""

from pathlib import Path

import psycopg
import pytest

from builders import worked_example
from live_server import live_server
from postgres.server import database_process
from waiting import wait_until


@pytest.mark.server
def test_a_damaged_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The response is 503, the log and /readyz report the damage, and other requests are answered."""
    with (
        database_process() as database,
        live_server(tmp_path / "data", database_url=database.address) as live,
    ):
        live.send(worked_example()).raise_for_status()
        with psycopg.connect(database.address, autocommit=True) as connection:
            connection.execute("checkpoint")
            row = connection.execute(
                "select current_setting('data_directory') || '/' || pg_relation_filepath('events')"
            ).fetchone()
        database.stop()
        assert row is not None
        with Path(row[0]).open("r+b") as file:
            file.write(b"\xff" * 64)
        database.start()
        wait_until(lambda: live.http.get("/readyz").is_success, "a new connection to the database")
        exported = live.http.get("/v1/repos/acme/widgets/events")
        after = live.http.get("/readyz")
        repositories = live.http.get("/v1/repos")

    detail = "a part of the store is damaged; the operator has to restore a backup"
    assert 200 == repositories.status_code
    assert [(503, detail)] * 2 == [(one.status_code, one.json()["detail"]) for one in (exported, after)]
    assert '"event":"the database is damaged"' in capfd.readouterr().err
