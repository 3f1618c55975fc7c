"""Backups over HTTP."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb

from builders import worked_example
from live_server import LiveServer, live_server

_COUNT = "select events from repository_state join repositories using (repository_id) where name = 'copied'"


def test_concurrent_backups_are_complete(server: LiveServer, tmp_path: Path) -> None:
    """The server makes them one after another and leaves nothing in the data folder."""
    server.send(worked_example(), "acme/copied").raise_for_status()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: server.http.get("/v1/admin/backup"), range(4)))

    for number, answer in enumerate(answers):
        file = tmp_path / f"{number}.duckdb"
        file.write_bytes(answer.content)
        with duckdb.connect(str(file)) as copy:
            assert [(12,)] == copy.execute(_COUNT).fetchall()
    assert [] == [path.name for path in server.folder.iterdir() if "backup" in path.name]


def test_head_makes_no_copy(server: LiveServer) -> None:
    """HEAD works wherever GET does, without doing the work."""
    server.send(worked_example(), "acme/heads").raise_for_status()

    heads = [server.http.head(path) for path in ("/v1/admin/backup", "/v1/repos/acme/heads/events")]

    assert [(200, "application/octet-stream", b""), (200, "application/x-ndjson", b"")] == [
        (answer.status_code, answer.headers["content-type"], answer.content) for answer in heads
    ]


def test_a_data_folder_that_cannot_take_the_copy(tmp_path: Path) -> None:
    """The answer is 503 with the reason, and the server goes on."""
    with live_server(tmp_path / "data") as server:
        server.folder.rename(tmp_path / "unmounted")
        answer = server.http.get("/v1/admin/backup")
        (tmp_path / "unmounted").rename(server.folder)

        assert (503, "60") == (answer.status_code, answer.headers["retry-after"])
        assert "the data folder cannot take the copy: No such file or directory" == answer.json()["detail"]
        assert server.http.get("/v1/admin/backup").is_success
