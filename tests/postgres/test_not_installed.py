"""On a machine without PostgreSQL, tests that need it are skipped and say why."""

from pathlib import Path

import pytest

from postgres import server


def test_a_test_with_a_server_of_its_own_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BINARIES", tmp_path)

    with pytest.raises(pytest.skip.Exception) as skipped, server.database_process():
        pass

    assert (
        f"PostgreSQL 15 is not installed: {tmp_path} has no initdb (Debian: apt install postgresql-15)"
    ) == skipped.value.msg
