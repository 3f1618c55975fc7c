"""Requests that PostgreSQL cannot take as they are: a clear 4xx, never an internal error."""

from pathlib import Path

import pytest

from builders import worked_example
from live_server import live_server
from postgres.server import new_store


@pytest.mark.parametrize("id", ["%00", "a%00b", "%ED%A0%80", "%FF", "a" * 5000, "0123456789ab"])
def test_revoking_a_key_with_an_impossible_id(tmp_path: Path, database_server: str, id: str) -> None:
    """There is no such key, whatever characters the id has."""
    with live_server(tmp_path, database_url=new_store(database_server)) as server:
        answer = server.http.delete(f"/v1/keys/{id}")

    assert 404 == answer.status_code
    assert "GET /v1/keys lists all keys" in answer.json()["detail"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_backup_is_refused_with_what_to_do_instead(
    tmp_path: Path, database_server: str, method: str
) -> None:
    """A server on a database needs no data folder, and leaves nothing there if it has one."""
    with live_server(tmp_path / "none", database_url=new_store(database_server)) as server:
        answer = server.http.request(method, "/v1/admin/backup")

    assert 409 == answer.status_code
    assert not (tmp_path / "none").exists()
    if method == "GET":
        assert answer.json()["detail"] == (
            "the store is a PostgreSQL database, which the server does not copy; back it up with pg_dump, "
            "for example `pg_dump --format=custom --table='public.*' --file=mergecast.dump`"
        )


@pytest.mark.parametrize("name", ["base_ref", "queue_name"])
def test_a_forecast_for_an_impossible_name(tmp_path: Path, database_server: str, name: str) -> None:
    """The error names the field; events refuse such a name too."""
    with live_server(tmp_path, database_url=new_store(database_server)) as server:
        server.send(worked_example()).raise_for_status()
        asked = {"base_ref": "main", name: "a\0b", "candidate": {"settings": {"batch_size": 5}}}
        answer = server.http.post("/v1/repos/acme/widgets/forecast", json=asked)

    assert (422, f"/{name}: must not contain the character NUL") == (
        answer.status_code,
        answer.json()["detail"],
    )
