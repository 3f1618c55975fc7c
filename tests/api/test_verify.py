"""`GET /v1/admin/verify` reads the whole store and compares facts with events."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from api.rich_history import rich_history
from builders import worked_example
from live_server import TOKEN, LiveServer, live_server
from mergecast.cli.main import run
from mergecast.queues.store.opening import FILE_NAME


def _verified(live: LiveServer) -> list[dict[str, Any]]:
    answer = live.http.get("/v1/admin/verify")
    assert 200 == answer.status_code, answer.text
    return [msgspec.json.decode(line) for line in answer.text.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with two repositories and a snapshot."""
    folder = tmp_path / "data"
    with live_server(folder) as live:
        live.send(rich_history(), "acme/rich").raise_for_status()
        live.send(worked_example(), "acme/widgets").raise_for_status()
        live.http.put("/v1/repos/acme/widgets/pulls/1/snapshot", json={"pull": {"number": 1}})
    (folder / "admin-token").write_text(TOKEN, encoding="ascii")
    return folder


def test_a_consistent_store(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The response counts everything and reports no difference."""
    with live_server(folder) as live:
        rich, widgets = _verified(live)

    assert (len(rich_history()), 0, []) == (rich["events"], rich["differences"], rich["examples"])
    assert (len(worked_example()), 0) == (widgets["events"], widgets["differences"])
    assert 0 < rich["subjects"]
    assert 0 == run(["store", "verify", "--data-dir", str(folder)])
    assert "verified 2 repositories: everything is readable and consistent\n" == capsys.readouterr().out


def test_facts_that_do_not_follow_from_events(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command names them and says how to recompute them; verifying changes nothing."""
    _tamper(folder / FILE_NAME)

    codes = [run(["store", "verify", "--data-dir", str(folder)]) for _ in range(2)]
    errors = capsys.readouterr().err
    rebuilt = run(["store", "rebuild", "--data-dir", str(folder)])
    after = run(["store", "verify", "--data-dir", str(folder)])

    assert ([1, 1], 0, 0) == (codes, rebuilt, after)
    assert "verification failed:" in errors
    assert "rows of derived data differ; `mergecast store rebuild` recomputes them" in errors
    assert "does not follow from events" in errors
    assert "is missing" in errors


def test_keys_and_counts_that_are_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No rebuild repairs them, so the command says what does."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        connection.execute("update events set key_low = key_low + 1 where number = 1")
        connection.execute("update repository_state set events = events + 1, products = 'none_such'")

    code = run(["store", "verify", "--data-dir", str(folder)])

    errors = capsys.readouterr().err
    assert 1 == code
    assert "acme/widgets: 2 keys or counts are wrong; export its events, delete it and import them" in errors
    assert "does not follow from its id" in errors
    assert (
        f"repository_state: events is {len(worked_example()) + 1}, {len(worked_example())} is right" in errors
    )


def _tamper(file: Path) -> None:
    """Change the stays."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("update stays set retries = retries + 1")
