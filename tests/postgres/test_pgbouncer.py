"""The store works through PgBouncer in transaction mode, where no session state survives a transaction."""

import asyncio
import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

from mergecast.queues.model.credentials import ApplicationKey
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.values import Receipt
from ports import reserved_ports
from postgres.server import new_database
from store.statistics import all_answers
from waiting import MOST_SECONDS

BINARY = Path("/usr/sbin/pgbouncer")
WIDGETS = Repository("acme", "widgets")


@pytest.fixture
def pooled(database_server: str) -> Iterator[str]:
    """The address of a database behind PgBouncer, with two real connections."""
    if not BINARY.exists():
        pytest.skip("PgBouncer is not installed (Debian: apt install pgbouncer)")
    url = new_database(database_server)
    host, _, name = url.partition("@")[2].partition("/")
    folder = Path(mkdtemp(prefix="mergecast-pgbouncer-"))
    with reserved_ports() as [port]:
        _configure(folder, port, name, host.partition(":")[2])
        user = "postgres" if os.geteuid() == 0 else None
        if user:
            shutil.chown(folder, user)
            for file in folder.iterdir():
                os.chown(file, pwd.getpwnam(user).pw_uid, -1)
        process = subprocess.Popen([BINARY, folder / "pgbouncer.ini"], user=user, stderr=subprocess.DEVNULL)
        address = f"postgresql://tester@127.0.0.1:{port}/{name}"
        try:
            _wait_for(address)
            yield address
        finally:
            process.terminate()
            process.wait(60)
            shutil.rmtree(folder)


def _configure(folder: Path, port: int, name: str, database_port: str) -> None:
    (folder / "users").write_text('"tester" ""\n', encoding="ascii")
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n{name} = host=127.0.0.1 port={database_port} dbname={name}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n"
        f"auth_type = trust\nauth_file = {folder}/users\npool_mode = transaction\ndefault_pool_size = 2\n",
        encoding="ascii",
    )


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while True:
        try:
            psycopg.connect(address, connect_timeout=5).close()
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, "PgBouncer did not start"
            time.sleep(0.05)
        else:
            return


def _entered(number: int) -> Event:
    session = f"stay-{number}"
    return Event(
        f"in-{number}", "queue_entered", 0, "main", "default", None, "api",
        session_id=session, pull_request=number,
    )  # fmt: skip


def test_record_read_and_revoke(pooled: str, tmp_path: Path) -> None:
    """Many deliveries and questions at once share two connections."""
    store = open_store(tmp_path, pooled)
    key = ApplicationKey("a1b2c3", bytes(32), "a test", "acme", ("read",), 0, None, None)

    async def work() -> None:
        receipts = await asyncio.gather(*(store.record(WIDGETS, [_entered(number)]) for number in range(20)))
        assert [Receipt(1, 0)] * 20 == receipts
        answers = await asyncio.gather(*(all_answers(store, WIDGETS) for _ in range(8)))
        assert all(answer == answers[0] for answer in answers)
        await store.add_application_key(key)
        assert {"a1b2c3"} == (await store.application_keys()).keys()
        await store.remove_application_key("a1b2c3")
        assert {} == await store.application_keys()

    try:
        asyncio.run(work())
    finally:
        store.close()
