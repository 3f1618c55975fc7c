"""Without the extra `server`, commands that need no store work, and the others say what is missing."""

import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from api.recorded_pulls import record
from builders import worked_example
from forge.widgets import ROOT, pull, routes
from github_server import TOKEN as GITHUB_TOKEN
from github_server import GitHubServer
from live_server import TOKEN, LiveServer
from sources.activity_log_history import LogWriter
from sources.faulty_server import faulty_server
from sources.platforms import ActivityLog

_ROOT = Path(__file__).parents[2]
_MODULES = {
    "prometheus-client": "prometheus_client",
    "pydantic-settings": "pydantic_settings",
    "pyjwt": "jwt",
}
_LIGHT = """\
import importlib.abc, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from mergecast.cli.main import main
main()
"""
_DOCUMENT = (
    "pull_request_rules: [{name: greet, conditions: [base = main], actions: {comment: {message: Hi}}}]\n"
)

pytestmark = pytest.mark.server


def _server_modules() -> set[str]:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {name.partition(">")[0].partition("[")[0] for name in project["optional-dependencies"]["server"]}
    return {_MODULES.get(name, name) for name in names} | {"cryptography"}


def _run(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    program = _LIGHT.format(missing=_server_modules())
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yml").write_text(_DOCUMENT, encoding="utf-8")
    (tmp_path / "7.json").write_text(json.dumps(record()), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "a.yml"),
        ("schema",),
        ("simulate", "acme/engine#7", "-f", "a.yml", "--snapshot", "7.json"),
        ("stats", "acme/widgets", "?"),
        ("--help",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_without_a_store(folder: Path, arguments: tuple[str, ...]) -> None:
    """They need none of the server's libraries."""
    ended = _run(folder, *arguments)

    assert (0, "") == (ended.returncode, ended.stderr)


def test_client_commands(server: LiveServer, folder: Path) -> None:
    """Nor do commands that talk to a server."""
    server.send(worked_example()).raise_for_status()
    where = ("--url", server.url, "--token", TOKEN)

    listed = _run(folder, "repos", *where)
    exported = _run(folder, "export", "acme/widgets", *where)
    refused = _run(folder, "record", "acme/widgets#1", "--output", "1.json")

    assert (0, 0) == (listed.returncode, exported.returncode)
    assert 12 == exported.stdout.count("\n")
    assert "mergecast: GitHub needs a token" in refused.stderr


def test_imports(server: LiveServer, folder: Path) -> None:
    """An import reads a platform and sends to a server; only a GitHub App needs more."""
    log = ActivityLog("acme/web", LogWriter(1).entries(10, time.time_ns() // 1000))
    (folder / "app.pem").write_text("a key")
    where = ("--url", server.url, "--token", TOKEN)
    with faulty_server(log) as platform:
        imported = _run(
            folder, "import", "activity-log", "acme/web", "--from-url", platform.url, *where,
            MERGECAST_ACTIVITY_LOG_TOKEN="log-key",
        )  # fmt: skip
    refused = _run(
        folder, "import", "github", "acme/web", *where,
        MERGECAST_GITHUB_APP_ID="42", MERGECAST_GITHUB_APP_KEY_FILE="app.pem",
    )  # fmt: skip

    assert (0, f"{len(log.entries)} items stored, 0 already known\n") == (
        imported.returncode,
        imported.stdout,
    )
    assert (
        "mergecast: the credentials of a GitHub App need PyJWT, which comes with the server: "
        "install Mergecast with `pip install '.[server]'` in its checkout, or set MERGECAST_GITHUB_TOKEN\n"
    ) == refused.stderr


@pytest.mark.parametrize("subject", ["Acme/Widgets#12", "Acme/Widgets"])
def test_simulation_with_a_github_token(folder: Path, subject: str) -> None:
    """A token is enough, for one pull request and for all."""
    with GitHubServer(routes() | {f"{ROOT}/pulls": [pull()]}) as github:
        where = {"MERGECAST_GITHUB_URL": github.url, "MERGECAST_GITHUB_TOKEN": GITHUB_TOKEN}
        ended = _run(folder, "simulate", subject, "-f", "a.yml", **where)

    assert (0, "") == (ended.returncode, ended.stderr)
    assert "greet" in ended.stdout


@pytest.mark.parametrize(
    ("command", "alternative"), [("serve", ""), ("demo", ", or use a running server with --url")]
)
def test_commands_that_need_the_server(folder: Path, command: str, alternative: str) -> None:
    """They say how to install what is missing, and leave no folder behind."""
    ended = _run(folder, command)

    assert (1, "") == (ended.returncode, ended.stdout)
    assert (
        "mergecast: this needs the server, which is not installed (uvicorn is missing): "
        f"install Mergecast with `pip install '.[server]'` in its checkout{alternative}\n"
    ) == ended.stderr
    assert not (folder / "data" / "mergecast.duckdb").exists()
