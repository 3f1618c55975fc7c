"""Without the extra `server`, commands that need no store work, and the others say what is missing."""

import json
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from api.recorded_pulls import record
from builders import worked_example
from cli.program import Ending
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
# Each line of standard input asks for some commands; a line of standard output has their endings.
_LIGHT = """\
import contextlib, importlib.abc, io, json, os, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from mergecast.cli.main import run
from mergecast.sandbox import pool
from shared_fork_servers import SHARED

pool.ForkServer = SHARED.__getitem__

def ending(arguments):
    out, err = io.BytesIO(), io.BytesIO()
    with (
        contextlib.redirect_stdout(io.TextIOWrapper(out, encoding="utf-8", write_through=True)) as stdout,
        contextlib.redirect_stderr(io.TextIOWrapper(err, encoding="utf-8", write_through=True)) as stderr,
    ):
        code = run(arguments)
    return code, out.getvalue().decode(), err.getvalue().decode()

for line in sys.stdin:
    asked = json.loads(line)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    print(json.dumps([ending(arguments) for arguments in asked["commands"]]), flush=True)
"""
_DOCUMENT = (
    "pull_request_rules: [{name: greet, conditions: [base = main], actions: {comment: {message: Hi}}}]\n"
)

pytestmark = pytest.mark.server


def _server_modules() -> set[str]:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {name.partition(">")[0].partition("[")[0] for name in project["optional-dependencies"]["server"]}
    return {_MODULES.get(name, name) for name in names} | {"cryptography"}


class Light:
    """A process that finds none of the server's libraries."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, folder: Path, *commands: Sequence[str], **environment: str) -> list[Ending]:
        """Run commands one after the other."""
        asked = {"folder": str(folder), "environment": {**os.environ, **environment}, "commands": commands}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        return [Ending(*ending) for ending in json.loads(self._process.stdout.readline())]


@pytest.fixture(scope="module")
def light() -> Iterator[Light]:
    """One process for all tests: it takes longer to start than a command takes."""
    with subprocess.Popen(
        [sys.executable, "-c", _LIGHT.format(missing=_server_modules())],
        env={**os.environ, "PYTHONPATH": str(_ROOT / "tests")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Light(process)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yml").write_text(_DOCUMENT, encoding="utf-8")
    (tmp_path / "7.json").write_text(json.dumps(record()), encoding="utf-8")
    return tmp_path


def test_commands_without_a_store(light: Light, folder: Path) -> None:
    """They need none of the server's libraries."""
    commands = [
        ("check", "a.yml"),
        (
            "config",
            "schema",
        ),
        ("simulate", "acme/engine#7", "-f", "a.yml", "--snapshot", "7.json"),
        ("stats", "acme/widgets", "?"),
        ("--help",),
    ]

    endings = light.run(folder, *commands)

    assert [(0, "")] * len(commands) == [(ended.code, ended.err) for ended in endings]


def test_doctor(light: Light, server: LiveServer, folder: Path) -> None:
    """It says that the server is not installed; with a server elsewhere, nothing is missing."""
    here, elsewhere = light.run(
        folder, ("doctor",), ("doctor", "--url", server.url, "--token", TOKEN), MERGECAST_GITHUB_URL=""
    )

    lines = [" ".join(line.split()) for line in here.out.splitlines()]
    assert (0, "") == (here.code, here.err)
    expected = (
        "warning installation the server is not installed (numpy is missing): `check`, `simulate`, "
        "`config schema` and `config record` work, and commands with --url; "
        "install `mergecast[server]` to run a server or to open a data folder"
    )
    assert [expected] == [line for line in lines if "installation" in line]
    assert (0, 1) == (elsewhere.code, elsewhere.out.count(f"{server.url} is ready"))


def test_client_commands(light: Light, server: LiveServer, folder: Path) -> None:
    """Nor do commands that talk to a server."""
    server.send(worked_example()).raise_for_status()
    where = ("--url", server.url, "--token", TOKEN)

    listed, exported, refused = light.run(
        folder,
        ("store", "repos", *where),
        ("store", "export", "acme/widgets", *where),
        ("config", "record", "acme/widgets#1", "--output", "1.json"),
    )

    assert (0, 0) == (listed.code, exported.code)
    assert 12 == exported.out.count("\n")
    assert "mergecast: GitHub needs a token" in refused.err


def test_imports(light: Light, server: LiveServer, folder: Path) -> None:
    """An import reads a platform and sends to a server; only a GitHub App needs more."""
    log = ActivityLog("acme/web", LogWriter(1).entries(10, time.time_ns() // 1000))
    (folder / "app.pem").write_text("a key")
    where = ("--url", server.url, "--token", TOKEN)
    with faulty_server(log) as platform:
        imported, refused = light.run(
            folder,
            ("import", "activity-log", "acme/web", "--from-url", platform.url, *where),
            ("import", "github", "acme/web", *where),
            MERGECAST_ACTIVITY_LOG_TOKEN="log-key",
            MERGECAST_GITHUB_APP_ID="42",
            MERGECAST_GITHUB_APP_KEY_FILE="app.pem",
        )

    told = f"{len(log.entries)} new reports, 0 already known"
    assert (0, told) == (imported.code, imported.out.splitlines()[-1])
    assert (
        "mergecast: the credentials of a GitHub App need PyJWT, which comes with the server: "
        "install it with `pip install 'mergecast[server]'`, or set MERGECAST_GITHUB_TOKEN\n"
    ) == refused.err


def test_simulation_with_a_github_token(light: Light, folder: Path) -> None:
    """A token is enough, for one pull request and for all."""
    with GitHubServer(routes() | {f"{ROOT}/pulls": [pull()]}) as github:
        endings = light.run(
            folder,
            ("simulate", "Acme/Widgets#12", "-f", "a.yml"),
            ("simulate", "Acme/Widgets", "-f", "a.yml"),
            MERGECAST_GITHUB_URL=github.url,
            MERGECAST_GITHUB_TOKEN=GITHUB_TOKEN,
        )

    assert [(0, "", True)] * 2 == [(ended.code, ended.err, "greet" in ended.out) for ended in endings]


def test_commands_that_need_the_server(light: Light, folder: Path) -> None:
    """They say how to install what is missing, and leave no folder behind."""
    served, demo = light.run(folder, ("serve",), ("demo",))

    def message(module: str, alternative: str = "") -> str:
        return (
            f"mergecast: this needs the server, which is not installed ({module} is missing): "
            f"install it with `pip install 'mergecast[server]'`{alternative}\n"
        )

    assert Ending(1, "", message("pydantic_settings")) == served
    assert Ending(1, "", message("uvicorn", ", or use a running server with --url")) == demo
    assert not (folder / "data" / "mergecast.sqlite").exists()
