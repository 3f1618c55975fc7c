"""Secrets are stored where they must be, and nowhere else."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from access.hosting_platform import READER
from access.token_issuer import AUDIENCE, GITHUB_ACTIONS, actions_claims, key_set, signed
from local_client import local_client
from logged_secrets import leaks, logged, remember, watch_file
from mergecast.access.rights import Credential
from mergecast.logs import write_lines

_LEAKING = """
from mergecast.logs import write_lines

def test_that_leaks():
    write_lines(b'{secret}\\n')
"""


@pytest.mark.parametrize(
    "secret",
    [
        "mck_0123456789ab_" + "0123456789abcdef" * 4,
        "0123456789abcdef" * 4,
        "ghp_" + "a" * 36,
        "github_pat_" + "a" * 60,
        "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9",
        "",
    ],
    ids=["key", "secret of a key", "platform", "fine-grained", "JWT", "nothing"],
)
def test_the_watch_finds_a_logged_secret(tmp_path: Path, secret: str) -> None:
    """A test run that logs a secret fails, although all its tests pass; one that logs none succeeds."""
    (tmp_path / "test_leak.py").write_text(_LEAKING.format(secret=secret))

    run = _pytest(tmp_path)

    assert "1 passed" in run.stdout
    assert (1 if secret else 0) == run.returncode
    assert bool(secret) == ("secrets in logs" in run.stdout)
    assert not secret or secret not in run.stdout


def test_the_watch_finds_a_secret_logged_by_a_worker(tmp_path: Path) -> None:
    """A run on several cores fails too."""
    (tmp_path / "test_leak.py").write_text(_LEAKING.format(secret="ghp_" + "a" * 36))

    run = _pytest(tmp_path, "-p", "xdist.plugin", "-n", "2")

    assert "1 passed" in run.stdout
    assert 1 == run.returncode
    assert "1 logged: ghp_aaaa…" in run.stdout


def _pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the tests in `folder` with the watch and no other plugin of this project."""
    paths = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "src")]
    ours = ("-p", "leak_watch", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(folder))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *ours, *arguments, str(folder)],
        env={**environment, "PYTHONPATH": os.pathsep.join(paths), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_watch_knows_secrets_without_a_prefix() -> None:
    """Tests register them, such as admin tokens."""
    secret = remember("a-secret-that-nobody-logs-" + os.urandom(8).hex())

    assert ["a-secret…"] == leaks(f"before {secret} after")
    assert [] == leaks(f"before {secret[:-1]} after")


def test_the_watch_reads_the_log() -> None:
    """It sees what this process writes to the log."""
    write_lines(b'{"event":"a line for the watch"}\n')

    assert '{"event":"a line for the watch"}' in logged()


@dataclass(frozen=True)
class _Served:
    data: Path
    log: Path
    printed: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        (url,) = re.findall(r'"url": "([^"]+)"', (self.data / "server.json").read_text())
        return str(url)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[_Served]:
    """A real server process on a data folder that does not exist yet."""
    data, log, printed, keys = (tmp_path / name for name in ("data", "server.log", "printed", "jwks.json"))
    keys.write_bytes(key_set())
    watch_file(log)
    issuers = json.dumps([{"issuer": GITHUB_ACTIONS, "audience": AUDIENCE, "jwks": str(keys)}])
    environment = {
        **os.environ,
        "MERGECAST_DATA_DIR": str(data),
        "MERGECAST_PORT": "0",
        "MERGECAST_SERVICE_ISSUERS": issuers,
        "MERGECAST_GITHUB_URL": "http://127.0.0.1:9",
    }
    with log.open("wb") as err, printed.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "mergecast", "serve"], env=environment, stdout=out, stderr=err
        )
        try:
            deadline = time.monotonic() + 20
            while not (data / "server.json").exists():
                assert time.monotonic() < deadline, "the server did not start"
                time.sleep(0.02)
            yield _Served(data, log, printed, process)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)


def test_a_server_leaks_no_secret(served: _Served) -> None:
    """After use of every kind, no secret is in logs, metrics, file names, the process or the store."""
    admin = remember((served.data / "admin-token").read_text().strip())
    with local_client(served.url, headers={"Authorization": f"Bearer {admin}"}) as http:
        key = http.post("/v1/keys", json={"owner": "acme", "name": "n"}).json()["key"]
        token = signed(actions_claims())
        answers = {
            name: http.get("/v1/repos", headers={"Authorization": f"Bearer {one}"})
            for name, one in (("key", key), ("token", token), ("platform", READER), ("wrong", key[:-1]))
        }
        metrics = http.get("/metrics").text
        time.sleep(0.3)
    secrets = [admin, key, key[17:], token, token.rpartition(".")[2], READER]
    process = Path(f"/proc/{served.process.pid}")
    places = {
        "log": served.log.read_text(),
        "metrics": metrics,
        "answers": "".join(f"{answer.headers} {answer.text}" for answer in answers.values()),
        "process": (process / "cmdline").read_text() + (process / "comm").read_text(),
        "threads": "".join(thread.read_text() for thread in process.glob("task/*/comm")),
        "files": "\n".join(str(path) for path in served.data.rglob("*")),
    }

    assert {"key": 200, "token": 200, "platform": 503, "wrong": 403} == {
        name: answer.status_code for name, answer in answers.items()
    }
    assert '"event":"key created"' in places["log"]
    assert '"event":"refused"' in places["log"]
    assert {} == {place: found for place, text in places.items() if (found := leaks(text))}
    assert [] == [place for place, text in places.items() for secret in secrets if secret in text]
    stored = b"".join(path.read_bytes() for path in served.data.glob("mergecast.duckdb*"))
    assert [] == [secret for secret in secrets if secret.encode() in stored]


def test_the_admin_token_is_created_once(served: _Served) -> None:
    """The server prints it when it creates it, and stores it in a file that only its owner can read."""
    file = served.data / "admin-token"
    token = remember(file.read_text().strip())

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 0o700 == stat.S_IMODE(served.data.stat().st_mode)
    assert 1 == served.printed.read_text().count(token)
    assert len(token) >= 32


def test_a_credential_hides_its_secret() -> None:
    """Neither a traceback nor an accidental print shows it."""
    assert "Credential(…)" == repr(Credential(b"secret", b"digest")) == str(Credential(b"secret", b"digest"))
