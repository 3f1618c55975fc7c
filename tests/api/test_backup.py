"""Backups over HTTP."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from api.changed_settings import put_settings
from api.raw_http import AUTHORIZED, exchange, head_of, status_of
from builders import worked_example
from live_server import LiveServer, live_server
from made_up_checks import reports_for
from mergecast.queues.model.instant import SECOND
from mergecast.queues.store.opening import FILE_NAME
from waiting import wait_for, wait_until

_COUNT = "select events from repository_state join repositories using (repository_id) where name = 'copied'"


def test_concurrent_backups_are_complete(server: LiveServer, tmp_path: Path) -> None:
    """The server makes them one after another and leaves nothing in the data folder but their time."""
    server.send(worked_example(), "acme/copied").raise_for_status()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: server.http.get("/v1/admin/backup"), range(4)))

    for number, answer in enumerate(answers):
        file = tmp_path / f"{number}.sqlite"
        file.write_bytes(answer.content)
        with closing(sqlite3.connect(file)) as copy:
            assert [(12,)] == copy.execute(_COUNT).fetchall()
    wait_until(lambda: ["last-backup"] == _backups_in(server.folder))


def test_a_restored_backup_has_the_reports_about_ci_checks(server: LiveServer, tmp_path: Path) -> None:
    """With their prices: the same questions get the same answers."""
    events = worked_example()
    server.send([*events, *reports_for(events, Random(5))], "acme/checked").raise_for_status()
    prices = {"currency": "EUR", "per_minute": "0.008"}
    put_settings(server, "acme/checked", prices=prices).raise_for_status()
    window = {"start_at": "2026-03-01T00:00:00Z", "end_at": "2026-03-05T00:00:00Z"}

    def ask(asked: LiveServer) -> list[Any]:
        base = "/v1/repos/acme/checked"
        return [
            asked.http.get(f"{base}/ci-checks", params=window).json(),
            asked.http.get(f"{base}/settings").json(),
            sorted(asked.http.get(f"{base}/events").text.splitlines()),
        ]

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE_NAME).write_bytes(server.http.get("/v1/admin/backup").content)
    with live_server(tmp_path / "data") as restored:
        before, after = ask(server), ask(restored)

    assert before == after
    assert before[0]["checks"]


def _backups_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if "backup" in path.name]


class _Clock:
    now = 1_000_000_000


def _backup_age(server: LiveServer) -> str:
    (line,) = [
        line
        for line in server.http.get("/metrics").text.splitlines()
        if line.startswith("mergecast_backup_age_seconds ")
    ]
    return line.split()[1]


def test_the_age_of_the_last_backup(tmp_path: Path) -> None:
    """A metric tells it, also after a restart. A refused request is no backup."""
    clock = _Clock()
    with live_server(tmp_path, now=lambda: clock.now) as server:
        ages = [_backup_age(server)]
        server.http.get("/v1/admin/backup").raise_for_status()
        clock.now += 90 * SECOND
        wait_until(lambda: _backup_age(server) != "+Inf")
        ages.append(_backup_age(server))
    with live_server(tmp_path, now=lambda: clock.now) as server:
        ages.append(_backup_age(server))
        assert 403 == server.ask("nonsense", "/v1/admin/backup").status_code
        ages.append(_backup_age(server))

    assert ["+Inf", "90.0", "90.0", "90.0"] == ages


def test_a_client_that_closes_the_connection_at_the_last_byte_has_a_backup(tmp_path: Path) -> None:
    """As most clients do."""
    clock = _Clock()
    with live_server(tmp_path, now=lambda: clock.now) as server:
        for _ in range(10):
            clock.now += 90 * SECOND
            assert 200 == status_of(exchange(server, head_of("GET", "/v1/admin/backup", AUTHORIZED)))
            wait_for("0.0", lambda: _backup_age(server))


def test_a_damaged_time_of_the_last_backup(tmp_path: Path) -> None:
    """It is as if there was no backup."""
    (tmp_path / "last-backup").write_text("yesterday", encoding="ascii")
    with live_server(tmp_path) as server:
        assert "+Inf" == _backup_age(server)


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
        assert (
            "cannot write the copy to the data folder: No such file or directory" == answer.json()["detail"]
        )
        assert server.http.get("/v1/admin/backup").is_success


def test_a_download_leaves_a_line_in_the_log(server: LiveServer) -> None:
    """It is about the whole store; HEAD downloads nothing."""
    before = server.http.get("/v1/log").json()["lines"]
    server.http.head("/v1/admin/backup").raise_for_status()
    server.http.get("/v1/admin/backup").raise_for_status()

    line, *others = server.http.get("/v1/log").json()["lines"]
    assert before == others
    assert ("backup downloaded", "admin token", None, None, {}) == (
        line["event"],
        line["who"],
        line["owner"],
        line["repository"],
        line["details"],
    )
