"""A real PostgreSQL 15 server with a new cluster in a temporary folder, removed at the end."""

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from uuid import uuid4

import psycopg
import pytest

from mergecast.queues.store.opening import open_store
from ports import reserved_port

BINARIES = Path("/usr/lib/postgresql/15/bin")
_START_SECONDS = 120
_STOP_SECONDS = 120


def why_not() -> str | None:
    """Why PostgreSQL cannot be started here, or None."""
    if not (BINARIES / "initdb").exists():
        return f"PostgreSQL 15 is not installed: {BINARIES} has no initdb (Debian: apt install postgresql-15)"
    if os.geteuid() == 0 and _account() is None:
        return "PostgreSQL does not run as root, and there is no user `postgres` to run it as"
    return None


class DatabaseProcess:
    """A private server in a temporary folder that a test can kill and start again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        subprocess.run(["cp", "--archive", _new_cluster(self._user), folder], check=True)
        port = reserved_port(self)
        self.address = f"postgresql://tester@127.0.0.1:{port}/postgres"
        # The machine does not crash, only processes do: what reached the operating system is not lost.
        # fmt: off
        self._command = [
            str(BINARIES / "postgres"), "-D", str(folder / "data"), "-p", str(port), "-k", str(folder),
            "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "full_page_writes=off",
            "-c", "jit=off", "-c", "max_connections=200",
        ]
        # fmt: on
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server; after a kill, its former children may hold the memory for a moment."""
        deadline = time.monotonic() + _START_SECONDS
        log = self._folder / "log"
        while time.monotonic() < deadline:
            with log.open("ab") as stream:
                self._process = subprocess.Popen(
                    self._command, cwd=self._folder, user=self._user, stdout=stream, stderr=stream
                )
            if _answers(self.address, self._process, deadline):
                return
        raise AssertionError(f"PostgreSQL did not start: {log.read_text()[-2000:]}")

    def kill(self) -> None:
        """Send SIGKILL, which leaves the server no time to write anything."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            _stop(self._process)

    def abort(self) -> None:
        """Stop without the checkpoint that only another start would need."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(_STOP_SECONDS)


@contextmanager
def database_process() -> Iterator[DatabaseProcess]:
    """A server of its own for a test, which is skipped where PostgreSQL cannot run."""
    if reason := why_not():
        pytest.skip(reason)
    folder = Path(mkdtemp(prefix="mergecast-postgres-"))
    server: DatabaseProcess | None = None
    try:
        server = DatabaseProcess(folder)
        server.start()
        yield server
    finally:
        if server is not None:
            server.abort()
        shutil.rmtree(folder)


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a private server and yield its address."""
    with database_process() as server:
        yield server.address


def new_database(address: str, copied: str = "template1") -> str:
    """The address of an empty database on a server, or of a copy of another one."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"create database {name} template {copied} strategy file_copy".encode())
    return f"{address.removesuffix('/postgres')}/{name}"


def new_store(address: str) -> str:
    """The address of a database with an empty store: a copy, which takes less time than making its tables."""
    return new_database(address, _empty_store(address))


@cache
def _empty_store(address: str) -> str:
    url = new_database(address)
    open_store(Path(), url).close()
    return url.rpartition("/")[2]


def _account() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return None


@cache
def _new_cluster(user: str | None) -> Path:
    """A cluster that never ran, made once per process: a copy takes less time.

    Its default collation does not sort by code point, so that our SQL must ask for it.
    """
    folder = Path(mkdtemp(prefix="mergecast-postgres-"))
    atexit.register(shutil.rmtree, folder)
    if user:
        shutil.chown(folder, user)
    # fmt: off
    command = [
        str(BINARIES / "initdb"), "--pgdata", str(folder / "data"), "--username", "tester", "--auth", "trust",
        "--no-sync", "--encoding", "UTF8", "--locale-provider", "icu", "--icu-locale", "en",
        "--locale", "C.UTF-8",
    ]
    # fmt: on
    made = subprocess.run(command, cwd=folder, user=user, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return folder / "data"


def _answers(address: str, process: subprocess.Popen[bytes], deadline: float) -> bool:
    """Wait until the server answers; False if its process ended."""
    while process.poll() is None and time.monotonic() < deadline:
        try:
            psycopg.connect(address, connect_timeout=5).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return True
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Shut down fast, and immediately if that takes too long."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        process.send_signal(number)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return
