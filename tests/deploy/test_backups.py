"""Backups by the systemd unit, and the drill and the restore as docs/backups.md describes them."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import httpx
import pytest

from builders import worked_example
from deploy.files import DEPLOY, ROOT
from empty_store import copy_empty_store
from live_server import DAY
from robustness.forked_process import ForkedProcess
from robustness.server_process import TOKEN, Process, ServerProcess

pytestmark = [pytest.mark.server, pytest.mark.thorough]
_MERGECAST = Path(sys.executable).with_name("mergecast")


@pytest.fixture
def places(tmp_path: Path) -> dict[str, str]:
    """The folders and the program of the unit, and where they are in this test."""
    for name in ("mergecast", "mergecast-backups"):
        (tmp_path / name).mkdir()
    return {"/opt/mergecast/bin/mergecast": str(_MERGECAST), "/var/lib": str(tmp_path)}


def _placed(text: str, places: dict[str, str]) -> str:
    for old, new in places.items():
        text = text.replace(old, new)
    return text


def _unit_command(name: str, places: dict[str, str]) -> str:
    """A command of the unit as systemd would run it."""
    text = (DEPLOY / "systemd" / "mergecast-backup.service").read_text(encoding="utf-8")
    (command,) = re.findall(rf"^{name}=(.*)$", text, re.MULTILINE)
    expanded = re.sub(r"%(.)", lambda found: {"S": "/var/lib", "%": "%"}[found[1]], command)
    return _placed(expanded.replace("$$", "$"), places)


def _documented(heading: str, places: dict[str, str]) -> str:
    """The commands below a heading of the documentation."""
    text = (ROOT / "docs" / "backups.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {heading}\n.*?^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    return _placed(found[1], places)


def _run(command: str, places: dict[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "MERGECAST_DATA_DIR": f"{places['/var/lib']}/mergecast"}
    return subprocess.run(
        ["/bin/sh", "-ec", command], capture_output=True, text=True, check=False, env=environment
    )


class _Served(ServerProcess):
    """A server as systemd starts it: commands find it by its data folder."""

    def _start_process(self, logs: BinaryIO) -> Process:
        command = ["serve", "--data-dir", str(self.folder), "--port", str(self.port)]
        return ForkedProcess(logs, command=command)


@contextmanager
def _served(data: Path, logs: Path) -> Iterator[httpx.Client]:
    server = _Served(data, logs)
    try:
        server.start()
        with server.client() as http:
            yield http
        server.terminate()
        server.process.wait()
    finally:
        server.end()


def _answers(http: httpx.Client) -> list[Any]:
    names = ("queues", "queue_size", "queues_pr_exit_reasons")
    figures = [http.get(f"/v1/repos/acme/widgets/stats/{name}", params=DAY) for name in names]
    answers = [http.get("/v1/repos"), http.get("/v1/keys"), *figures]
    assert [200] * len(answers) == [answer.status_code for answer in answers]
    return [answer.json() for answer in answers]


def _send(http: httpx.Client, repository: str) -> None:
    http.post(f"/v1/repos/{repository}/events", json=worked_example()).raise_for_status()


def test_a_backup_is_drilled_and_restored(places: dict[str, str], tmp_path: Path) -> None:
    """Backup, loss, restore: every answer is as it was at the backup, and a key of then still works."""
    data, backups, logs = (tmp_path / name for name in ("mergecast", "mergecast-backups", "server.log"))
    copy_empty_store(data)
    (data / "admin-token").write_text(TOKEN + "\n", encoding="ascii")
    with _served(data, logs) as http:
        _send(http, "acme/widgets")
        key = http.post("/v1/keys", json={"owner": "acme", "name": "a test"}).json()["key"]
        before = _answers(http)
        made = _run(_unit_command("ExecStart", places), places)
        assert (0, "") == (made.returncode, made.stderr)
        _send(http, "acme/later")
        drilled = _run(_documented("A restore drill", places), places)

    assert 0 == drilled.returncode, drilled.stderr
    assert "acme/widgets" in drilled.stdout
    assert "acme/later" not in drilled.stdout
    (backup,) = backups.iterdir()
    assert re.fullmatch(r"mergecast-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite", backup.name)
    assert 0o600 == backup.stat().st_mode & 0o777
    first, *steps, last = _documented("Restoring", places).splitlines()
    assert ("systemctl stop mergecast", "systemctl start mergecast") == (first, last)
    restored = _run("\n".join(steps), places)
    assert (0, "") == (restored.returncode, restored.stderr)

    with _served(data, logs) as http:
        assert before == _answers(http)
        answer = http.get("/v1/repos/acme/widgets/queue", headers={"Authorization": f"Bearer {key}"})
        assert 200 == answer.status_code


def test_there_is_a_backup_only_of_an_embedded_store(places: dict[str, str], tmp_path: Path) -> None:
    """systemd skips the unit, without an error, if its condition fails."""
    condition = shlex.split(_unit_command("ExecCondition", places))[-1]
    without_store = _run(condition, places).returncode
    copy_empty_store(tmp_path / "mergecast")
    embedded = _run(condition, places).returncode
    shared = _run(f"MERGECAST_DATABASE_URL=postgresql://db; {condition}", places).returncode

    assert (1, 0, 1) == (without_store, embedded, shared)


def test_a_backup_leaves_space_for_the_server(places: dict[str, str], tmp_path: Path) -> None:
    """A store of which the disk does not hold four copies."""
    copy_empty_store(tmp_path / "mergecast")
    check = shlex.split(_unit_command("ExecStartPre", places))[-1]
    enough = _run(check, places)
    size = shutil.disk_usage(tmp_path).free // 3
    with (tmp_path / "mergecast" / "mergecast.sqlite").open("r+b") as store:
        store.truncate(size)
    too_little = _run(check, places)

    assert (0, "") == (enough.returncode, enough.stderr)
    message = rf"no backup: \d+ bytes are free, and 4 times the {size} bytes of the store are needed\n"
    assert 1 == too_little.returncode
    assert re.fullmatch(message, too_little.stderr)


def test_a_damaged_backup_fails_the_drill(places: dict[str, str]) -> None:
    """The drill stops with the command that finds it."""
    backups = Path(places["/var/lib"]) / "mergecast-backups"
    (backups / "mergecast-2026-11-17T030000Z.sqlite").write_bytes(b"no store" * 4096)

    assert 0 != _run(_documented("A restore drill", places), places).returncode


def test_old_backups_are_deleted(places: dict[str, str]) -> None:
    """Also what an interrupted backup left; nothing else in the folder."""
    backups = Path(places["/var/lib"]) / "mergecast-backups"
    old, new = "mergecast-2026-01-01T030000Z.sqlite", "mergecast-2026-01-20T030000Z.sqlite"
    for name, days in ((old, 16), (f"{old}.part", 16), (new, 13), ("notes.txt", 99)):
        (backups / name).touch()
        subprocess.run(["touch", "-d", f"{days} days ago", backups / name], check=True)

    # systemd runs it without a shell, so nothing expands the star.
    command = _unit_command("ExecStartPost", places).split()
    subprocess.run(command, check=True)

    assert [new, "notes.txt"] == sorted(one.name for one in backups.iterdir())
