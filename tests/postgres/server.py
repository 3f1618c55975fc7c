"""A real PostgreSQL 15 server with a new cluster in a temporary folder, removed at the end."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from uuid import uuid4

import psycopg

BINARIES = Path("/usr/lib/postgresql/15/bin")
_START_SECONDS = 30
_STOP_SECONDS = 20


def why_not() -> str | None:
    """Why PostgreSQL cannot be started here, or None."""
    if not (BINARIES / "initdb").exists():
        return f"PostgreSQL 15 is not installed: {BINARIES} has no initdb (Debian: apt install postgresql-15)"
    if os.geteuid() == 0 and _account() is None:
        return "PostgreSQL does not run as root, and there is no user `postgres` to run it as"
    return None


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start a private server and yield its address."""
    folder = Path(mkdtemp(prefix="mergecast-postgres-"))
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    try:
        _make_cluster(folder, user)
        with _running(folder, user) as address:
            yield address
    finally:
        shutil.rmtree(folder)


def new_database(address: str) -> str:
    """The address of an empty database on a server."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
    return f"{address.removesuffix('/postgres')}/{name}"


def _account() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return None


def _make_cluster(folder: Path, user: str | None) -> None:
    """A cluster whose default collation does not sort by code point, so that our SQL must ask for it."""
    # fmt: off
    command = [
        str(BINARIES / "initdb"), "--pgdata", str(folder / "data"), "--username", "tester", "--auth", "trust",
        "--no-sync", "--encoding", "UTF8", "--locale-provider", "icu", "--icu-locale", "en",
        "--locale", "C.UTF-8",
    ]
    # fmt: on
    made = subprocess.run(command, cwd=folder, user=user, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr


@contextmanager
def _running(folder: Path, user: str | None) -> Iterator[str]:
    port = _free_port()
    # fmt: off
    command = [
        str(BINARIES / "postgres"), "-D", str(folder / "data"), "-p", str(port), "-k", str(folder),
        "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "full_page_writes=off",
        "-c", "synchronous_commit=off", "-c", "jit=off",
    ]
    # fmt: on
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, user=user, stdout=log, stderr=log)
        try:
            address = f"postgresql://tester@127.0.0.1:{port}/postgres"
            _wait_for(address, process, folder / "log")
            yield address
        finally:
            _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            psycopg.connect(address, connect_timeout=5).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"PostgreSQL did not start: {log.read_text()[-2000:]}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Shut down fast, and immediately if that takes too long."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        process.send_signal(number)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return
