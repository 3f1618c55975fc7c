"""Secrets are stored where they must be, and nowhere else."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from access.hosting_platform import READER
from access.token_issuer import AUDIENCE, GITHUB_ACTIONS, actions_claims, key_set, signed
from local_client import local_client
from logged_secrets import leaks, logged, remember, watch_file
from mergecast.access.rights import Credential
from mergecast.process.logs import write_lines
from waiting import wait_until

pytestmark = pytest.mark.server

_LOGGING = """
import pytest
from mergecast.process.logs import write_lines

@pytest.mark.parametrize("text", {texts})
def test_that_logs(text):
    write_lines(text.encode())
"""
# A whole key, the secret of a key, two kinds of platform tokens, and the head of a JWT.
_LEAKED = (
    "mck_0123456789ab_" + "0123456789abcdef" * 4,
    "0123456789abcdef" * 4,
    "ghp_" + "a" * 36,
    "github_pat_" + "a" * 60,
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9",
)


def test_the_watch_finds_every_kind_of_secret(tmp_path: Path) -> None:
    """A test run that logs secrets fails, although all its tests pass, and does not print them."""
    run = _run_that_logs(_LEAKED, tmp_path)

    assert "5 passed" in run.stdout
    assert 1 == run.returncode
    assert "secrets in logs" in run.stdout
    assert "5 logged: 01234567…, eyJhbGci…, ghp_aaaa…, github_p…, mck_0123…\n" in run.stdout
    assert [] == [secret for secret in _LEAKED if secret in run.stdout]


def test_the_watch_finds_nothing_in_other_lines(tmp_path: Path) -> None:
    """The run succeeds."""
    run = _run_that_logs(("nothing",), tmp_path)

    assert "1 passed" in run.stdout
    assert 0 == run.returncode
    assert "secrets in logs" not in run.stdout


def test_the_watch_finds_a_secret_logged_by_a_worker(tmp_path: Path) -> None:
    """A run on several cores fails too."""
    run = _run_that_logs(("ghp_" + "a" * 36,), tmp_path, "-p", "xdist.plugin", "-n", "2")

    assert "1 passed" in run.stdout
    assert 1 == run.returncode
    assert "1 logged: ghp_aaaa…" in run.stdout


def _run_that_logs(texts: tuple[str, ...], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a test per text with the watch and no other plugin of this project."""
    (folder / "test_log.py").write_text(_LOGGING.format(texts=[f"{text}\n" for text in texts]))
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
    secret = remember("a-secret-that-must-not-be-logged-" + os.urandom(8).hex())

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


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Served]:
    """A real server process on a data folder that did not exist before."""
    folder = tmp_path_factory.mktemp("served")
    data, log, printed, keys = (folder / name for name in ("data", "server.log", "printed", "jwks.json"))
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
            # It prints where the token is after it has published its address.
            wait_until(lambda: "the admin token is in" in printed.read_text(), "the start of the server")
            yield _Served(data, log, printed, process)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)


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
        wait_until(lambda: '"event":"refused"' in served.log.read_text(), "the log of a refusal")
    secrets = [admin, key, key[17:], token, token.rpartition(".")[2], READER]
    process = Path(f"/proc/{served.process.pid}")
    places = {
        "log": served.log.read_text(),
        "metrics": metrics,
        "answers": "".join(f"{answer.headers} {answer.text}" for answer in answers.values()),
        "process": (process / "cmdline").read_text() + (process / "comm").read_text(),
        "threads": b"".join(_read(thread) for thread in process.glob("task/*/comm")).decode(),
        "files": "\n".join(str(path) for path in served.data.rglob("*")),
    }

    assert {"key": 200, "token": 200, "platform": 503, "wrong": 403} == {
        name: answer.status_code for name, answer in answers.items()
    }
    assert '"event":"key created"' in places["log"]
    assert '"event":"refused"' in places["log"]
    assert {} == {place: found for place, text in places.items() if (found := leaks(text))}
    assert [] == [place for place, text in places.items() for secret in secrets if secret in text]
    # The log of commits first: once it is merged into the store, it is gone.
    stored = b"".join(_read(path) for path in sorted(served.data.glob("mergecast.sqlite*"), reverse=True))
    assert [] == [secret for secret in secrets if secret.encode() in stored]


def _read(file: Path) -> bytes:
    """The content of a file that may be gone by now, as a thread may be."""
    try:
        return file.read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def test_the_admin_token_is_created_once(served: _Served) -> None:
    """It is in a file that only its owner can read, and not in what a server without a terminal prints."""
    file = served.data / "admin-token"
    token = remember(file.read_text().strip())

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 0o700 == stat.S_IMODE(served.data.stat().st_mode)
    assert f"the admin token is in {file}\n" in served.printed.read_text()
    assert token not in served.printed.read_text()
    assert len(token) >= 32


def test_a_credential_hides_its_secret() -> None:
    """Neither a traceback nor an accidental print shows it."""
    assert "Credential(…)" == repr(Credential(b"secret", b"digest")) == str(Credential(b"secret", b"digest"))
