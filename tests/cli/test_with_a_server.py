"""Commands while a server is running and owns the store."""

import json
import os
import pty
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

import mergecast as mergecast_package
from builders import worked_example
from cli.program import mergecast
from empty_store import copy_empty_store
from local_client import get, request
from logged_secrets import remember, watch_file
from mergecast.api.dashboard_files import BUILT_DASHBOARD, PAGE
from mergecast.cli import connection
from mergecast.process.data_folder import DataFolder
from waiting import MOST_SECONDS, wait_until

pytestmark = pytest.mark.server
PACKAGE = Path(mergecast_package.__file__).parent


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[str], int]]:
    """The data folder of a server, the lines that it printed before it ran, and whether its link signs in.

    The link is used at once: ten minutes later, after other tests on a busy machine, it would not work.
    """
    with _running(tmp_path_factory.mktemp("served")) as (data, lines):
        code = lines[2].partition("/#code=")[2].partition(" ")[0]
        answer = request("POST", f"{_address(data)['url']}/v1/session", json={"code": code})
        yield data, lines, answer.status_code


@contextmanager
def _running(folder: Path, **environment: str) -> Iterator[tuple[Path, list[str]]]:
    data, log = folder / "data", folder / "server.log"
    watch_file(log)
    with (
        log.open("wb") as stderr,
        subprocess.Popen(
            [sys.executable, "-m", "mergecast", "serve", "--data-dir", data],
            env={**os.environ, "MERGECAST_PORT": "0", **environment},
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline() for _ in range(3)]
            wait_until((data / "server.json").exists, "the start of the server")
            yield data, lines
        finally:
            process.send_signal(signal.SIGTERM)
            assert 0 == process.wait(timeout=MOST_SECONDS)
            assert "" == process.stdout.read()
    assert not (data / "server.json").exists()


@pytest.fixture(scope="module")
def served(running: tuple[Path, list[str], int]) -> Path:
    """Its data folder."""
    return running[0]


def _address(data: Path) -> dict[str, str]:
    address: dict[str, str] = json.loads((data / "server.json").read_text())
    return address


def test_commands_talk_to_the_server_that_owns_the_store(served: Path, tmp_path: Path) -> None:
    """Import, query, export, rebuild and back up while the server runs."""
    file = tmp_path / "events.ndjson"
    file.write_text("".join(json.dumps(event) + "\n" for event in worked_example()))

    codes = [
        mergecast("import", "events", "acme/widgets", file, data=served).code,
        mergecast("stats", "acme/widgets", "branches", "--end", "2026-03-03", data=served).code,
        mergecast("store", "export", "acme/widgets", data=served).code,
        mergecast("store", "rebuild", data=served).code,
        mergecast("store", "backup", tmp_path / "backup.sqlite", data=served).code,
    ]

    assert [0, 0, 0, 0, 0] == codes


def test_commands_talk_to_any_server_by_address(served: Path, tmp_path: Path) -> None:
    """The token must be valid there; otherwise the message says which options set it."""
    address = _address(served)
    elsewhere = tmp_path / "elsewhere"

    right = mergecast(
        "store", "rebuild", "--url", address["url"], "--token", address["token"], data=elsewhere
    )
    wrong = mergecast("store", "rebuild", "--url", address["url"], "--token", "wrong", data=elsewhere)

    assert (0, 2) == (right.code, wrong.code)
    assert (
        f"mergecast: {address['url']} does not accept this token for this command: the admin token is in "
        "MERGECAST_ADMIN_TOKEN of the server, or in its file admin-token; pass another with --token or "
        "MERGECAST_TOKEN\n"
    ) == wrong.err
    assert not elsewhere.exists()


@pytest.mark.parametrize(
    ("token", "kind", "why"),
    [
        ("mck_0123456789ab_secret", "application key", "it may be revoked, expired, of another owner or "),
        ("ghp_0123456789", "platform token", "it must be able to read the repository, and to push to it "),
        ("a.b.c", "service token", "it must come from an issuer that the server trusts, and name the "),
    ],
)
def test_a_refused_credential_says_where_to_get_a_right_one(
    served: Path, token: str, kind: str, why: str
) -> None:
    """Its kind is known by its form."""
    url = _address(served)["url"]

    refused = mergecast("admin", "key", "list", "--url", url, "--token", token, data=served)

    assert 2 == refused.code
    assert refused.err.startswith(f"mergecast: {url} does not accept this {kind} for this command: {why}")
    assert refused.err.endswith("; pass another with --token or MERGECAST_TOKEN\n")


def test_a_program_can_read_where_a_server_is(tmp_path: Path) -> None:
    """One line; the new token is shown once, as without --json."""
    log, facts = tmp_path / "server.log", []
    watch_file(log)
    for _ in range(2):
        with (
            log.open("wb") as stderr,
            subprocess.Popen(
                [sys.executable, "-m", "mergecast", "serve", "--json", "--data-dir", tmp_path / "data"],
                env={**os.environ, "MERGECAST_PORT": "0"},
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            ) as process,
        ):
            assert process.stdout is not None
            facts.append(json.loads(process.stdout.readline()))
            assert 200 == get(f"{facts[-1]['url']}/healthz").status_code
            process.send_signal(signal.SIGTERM)
            assert (0, "") == (process.wait(timeout=MOST_SECONDS), process.stdout.read())

    token = (tmp_path / "data" / "admin-token").read_text(encoding="ascii").strip()
    assert remember(token) == facts[0].pop("admin_token")
    for found in facts:
        assert {"url", "data_dir", "sign_in_url"} == found.keys()
        assert str(tmp_path / "data") == found["data_dir"]
        assert found["sign_in_url"].startswith(f"{found['url']}/#code=")


def test_a_terminal_shows_a_new_admin_token_once(tmp_path: Path) -> None:
    """A file, a pipe or a journal gets only the path of the token's file."""
    data, shown = tmp_path / "data", []
    watch_file(tmp_path / "server.log")
    for _ in range(2):
        master, slave = pty.openpty()
        with (tmp_path / "server.log").open("wb") as log, os.fdopen(slave, "wb") as terminal:
            process = subprocess.Popen(
                [sys.executable, "-m", "mergecast", "serve", "--data-dir", data],
                # A terminal wide enough for the path of the folder: lines are wrapped at its width.
                env={**os.environ, "MERGECAST_PORT": "0", "COLUMNS": "500"},
                stdout=terminal,
                stderr=log,
            )
        with os.fdopen(master, encoding="utf-8") as screen:
            lines = [screen.readline(), screen.readline()]
            remember((data / "admin-token").read_text(encoding="ascii").strip())
            shown.append(lines[1].strip())
            assert 200 == get(f"{_address(data)['url']}/healthz").status_code
            process.send_signal(signal.SIGTERM)
            assert 0 == process.wait(timeout=MOST_SECONDS)

    token = (data / "admin-token").read_text(encoding="ascii").strip()
    assert [
        f"new admin token, also in {data}/admin-token: {token}",
        f"the admin token is in {data}/admin-token",
    ] == shown


def test_a_health_check_asks_the_server(served: Path, tmp_path: Path) -> None:
    """At the address in the data folder; without one, where the settings say that a server listens."""
    port = _address(served)["url"].rpartition(":")[2]

    by_folder = mergecast("admin", "ready", data=served)
    by_settings = mergecast("admin", "ready", data=tmp_path, MERGECAST_HOST="0.0.0.0", MERGECAST_PORT=port)
    absent = mergecast("admin", "ready", data=tmp_path, MERGECAST_HOST="::", MERGECAST_PORT="1")

    assert [(0, "ready\n", "")] * 2 == [(one.code, one.out, one.err) for one in (by_folder, by_settings)]
    assert (3, "mergecast: no answer from http://[::1]:1: Connection refused\n") == (absent.code, absent.err)


def test_a_second_server_on_the_same_store_is_refused(served: Path) -> None:
    """One process owns a folder."""
    ended = mergecast("serve", data=served)

    owner = f"the server at {_address(served)['url']}"
    assert (1, f"mergecast: the store in `{served}` is in use by {owner}\n") == (
        ended.code,
        ended.err,
    )


def test_a_server_waits_for_a_command_to_end(tmp_path: Path) -> None:
    """As when a container and a command in it start at once."""
    folder = DataFolder(tmp_path / "data")
    assert folder.take()
    waiting = (
        f"mergecast: another process is using the store in `{folder.path}`; waiting up to 30 seconds for it\n"
    )
    with (
        ThreadPoolExecutor(1) as pool,
        subprocess.Popen(
            [sys.executable, "-m", "mergecast", "serve", "--port", "0", "--data-dir", folder.path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            told = process.stderr.readline()
            folder.release()
            pool.submit(process.stderr.read)
            served = process.stdout.readline()
        finally:
            process.terminate()
        remember((folder.path / "admin-token").read_text(encoding="ascii").strip())

    assert waiting == told
    assert served.startswith("mergecast is serving http://127.0.0.1:")


def test_a_server_does_not_wait_for_ever(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert folder.take()
    try:
        with patch.object(connection, "WAITING_SECONDS", 0.0):
            ended = mergecast("serve", data=tmp_path)
    finally:
        folder.release()

    assert 1 == ended.code
    assert [
        f"mergecast: another process is using the store in `{tmp_path}`; waiting up to 0 seconds for it",
        f"mergecast: the store in `{tmp_path}` is in use by another process",
    ] == ended.err.splitlines()


def test_a_port_in_use_is_explained(served: Path, tmp_path: Path) -> None:
    """The message names the options to change."""
    port = _address(served)["url"].rpartition(":")[2]

    ended = mergecast("serve", "--port", port, data=tmp_path / "other")

    assert 2 == ended.code
    assert (
        f"mergecast: cannot listen on 127.0.0.1 port {port}: Address already in use; "
        "choose another with --host and --port\n"
    ) == ended.err


def test_threads_of_a_server_take_turns_often(served: Path, tmp_path: Path) -> None:
    """Beside a large delivery, each statement of a small request would wait for Python's usual 5 ms."""
    port = _address(served)["url"].rpartition(":")[2]
    copy_empty_store(tmp_path)
    usual = sys.getswitchinterval()
    try:
        intervals = []
        for arguments in (
            ("serve", "--port", port),
            (
                "store",
                "repos",
            ),
        ):
            sys.setswitchinterval(0.005)
            mergecast(*arguments, data=tmp_path)
            intervals.append(sys.getswitchinterval())
    finally:
        sys.setswitchinterval(usual)

    assert intervals == pytest.approx([0.0005, 0.0005])


def test_the_admin_token_is_private_and_valid(served: Path) -> None:
    """The first start creates it; only its owner can read it."""
    token = (served / "admin-token").read_text().strip()

    modes = {
        stat.S_IMODE((served / name).stat().st_mode)
        for name in ("admin-token", "server.json", "mergecast.sqlite")
    }
    answer = get(f"{_address(served)['url']}/v1/repos", headers={"Authorization": f"Bearer {token}"})

    assert {0o600} == modes
    assert 200 == answer.status_code
    assert len(token) >= 32


def test_a_link_signs_in_once(served: Path) -> None:
    """The command prints it; the page sends the code of its fragment."""
    ended = mergecast("open", "--print", data=served)

    address, _, code = ended.out.strip().partition("/#code=")
    session = f"{address}/v1/session"
    answers = [request("POST", session, json={"code": code}) for _ in range(2)]
    assert (0, _address(served)["url"]) == (ended.code, address)
    assert [200, 403] == [answer.status_code for answer in answers]
    assert "admin token" == answers[0].json()["kind"]


@pytest.mark.skipif(
    not (BUILT_DASHBOARD / PAGE).is_file(), reason="the dashboard is not built: run scripts/dashboard"
)
def test_the_server_prints_a_link(running: tuple[Path, list[str], int]) -> None:
    """It is the last line before the server runs."""
    data, lines, status = running
    link = lines[2].removeprefix("to sign in, open ").removesuffix(" (works once, for 10 minutes)\n")
    address, _, code = link.partition("/#code=")

    assert f"mergecast is serving {address}, data in {data}\n" == lines[0]
    assert (200, True) == (status, len(code) > 20)


def test_a_server_without_a_dashboard_prints_no_link(tmp_path: Path) -> None:
    """`pip install` builds no pages, so a link would lead to none. The line says how to get them."""
    shutil.copytree(
        PACKAGE, tmp_path / "mergecast", ignore=shutil.ignore_patterns("dashboard", "__pycache__")
    )
    with _running(tmp_path, PYTHONPATH=str(tmp_path)) as (data, lines):
        page = get(f"{_address(data)['url']}/").text

    assert (
        "this installation has no dashboard: run scripts/install in a clone, "
        "or install a wheel that scripts/build built\n"
    ) == lines[2]
    assert "The dashboard is not built in this installation." in page


def test_opening_the_dashboard_needs_a_server(tmp_path: Path) -> None:
    """A command would end before the browser has loaded the page."""
    ended = mergecast("open", data=tmp_path)

    message = f"no server is running for the store in `{tmp_path}`; start one with `mergecast serve`, "
    assert (1, f"mergecast: {message}or name one with --url\n") == (ended.code, ended.err)
