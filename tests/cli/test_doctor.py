"""`mergecast doctor` in real situations: each line says what is wrong and what to do."""

import json
import os
import socket
import socketserver
import sqlite3
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import pytest

from access.oidc_provider import APP, RIGHTS, OidcProvider, oidc_provider
from builders import worked_example
from cli.patient_doctor import patient_doctor
from cli.program import Ending, mergecast
from cli.served_folder import served_folder
from empty_store import copy_empty_store
from github_server import TOKEN as GITHUB_TOKEN
from github_server import GitHubServer, Reply
from live_server import TOKEN, LiveServer, live_server
from local_http import LocalServer
from local_http import Reply as PlainReply
from logged_secrets import leaks, remember
from mergecast import __version__
from mergecast.queues.store.migrations import MIGRATIONS
from mergecast.queues.store.opening import FILE_NAME
from ports import reserved_ports

pytestmark = pytest.mark.server

_SECRET = remember("S3cret-of-a-webhook-of-this-test")
_SECRETS = json.dumps([{"secret": _SECRET}])
_NO_WEBHOOKS = (
    "warning webhooks off: MERGECAST_WEBHOOK_SECRETS is not set, so every webhook is refused; set it to "
    """'[{"secret": "…"}]' with the secret of the webhook, or let the server poll with MERGECAST_FOLLOW"""
)


def _doctor(data: Path, *arguments: str, **environment: str) -> Ending:
    """With no platform, unless one is given, and a port at which nothing answers."""
    settings = {"MERGECAST_GITHUB_URL": "", "MERGECAST_PORT": "0", **environment}
    ended = patient_doctor(data, *arguments, seconds=60.0, **settings)
    assert [] == leaks(ended.out + ended.err)
    return ended


def _lines(ended: Ending, *checks: str) -> list[str]:
    """The lines about these checks, with single spaces."""
    lines = [" ".join(line.split()) for line in ended.out.splitlines()]
    return [line for line in lines if line.split(" ", 1)[1].startswith(checks)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_empty_store(tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with served_folder(tmp_path_factory.mktemp("healthy") / "data") as path:
        sent = mergecast("import", "events", "acme/widgets", "-", data=path, stdin=_events())
        assert 0 == sent.code, sent.err
        yield path


def _events() -> bytes:
    return "\n".join(json.dumps(event) for event in worked_example()).encode()


def test_everything_is_fine(healthy: Path) -> None:
    ended = _doctor(healthy, MERGECAST_WEBHOOK_SECRETS=_SECRETS)

    url = json.loads((healthy / "server.json").read_text(encoding="utf-8"))["url"]
    assert (0, "") == (ended.code, ended.err)
    assert [] == [line for line in ended.out.splitlines() if not line.startswith("ok ")]
    assert [
        f"ok store open in the server at {url}",
        f"ok server {url} is ready",
        f"ok clock agrees with {url}",
        "ok public URL not set: the service is used on this machine",
        "ok webhooks MERGECAST_WEBHOOK_SECRETS is set",
        "ok sources acme/widgets: events were sent to the API, no source delivers",
        "ok channels none: no one is notified",
    ] == _lines(ended, "store", "server", "clock", "public URL", "webhooks", "sources", "channels")


def test_json(healthy: Path) -> None:
    answer = json.loads(_doctor(healthy, "--json", MERGECAST_WEBHOOK_SECRETS=_SECRETS).out)

    assert "ok" == answer["result"]
    assert {("level", "check", "message", "advice")} == {tuple(finding) for finding in answer["findings"]}
    assert {
        "level": "ok",
        "check": "webhooks",
        "message": "MERGECAST_WEBHOOK_SECRETS is set",
        "advice": None,
    } in answer["findings"]


def test_a_pipe_gets_no_colours(healthy: Path) -> None:
    assert "\x1b" not in _doctor(healthy).out


def test_no_data_folder(tmp_path: Path) -> None:
    ended = _doctor(tmp_path / "nowhere")

    assert 1 == ended.code
    expected = (
        f"error data folder there is no folder {tmp_path}/nowhere; name the right one with --data-dir or "
        "MERGECAST_DATA_DIR, name a server with --url, or create a store with `mergecast serve` or "
        "`mergecast demo`"
    )
    assert [expected] == _lines(ended, "data folder")
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_without_a_store(tmp_path: Path) -> None:
    ended = _doctor(tmp_path)

    assert 1 == ended.code
    assert [
        f"error store there is no store in {tmp_path}; `mergecast serve` and `mergecast demo` create one"
    ] == _lines(ended, "store")
    assert [] == list(tmp_path.iterdir())


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    expected = (
        f"error data folder {tmp_path}/file is not a folder; "
        "name another with --data-dir or MERGECAST_DATA_DIR"
    )
    assert [expected] == _lines(_doctor(tmp_path / "file"), "data folder")


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder whose parents everyone may look into, unlike those of `tmp_path`."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        copy_empty_store(Path(name) / "data")
        yield Path(name) / "data"


def _as_nobody(data: Path) -> Ending:
    """Run the command as a user without rights, who may not read the modules: they are loaded before."""
    if os.geteuid() != 0:
        pytest.skip("only root can run a command as another user")
    elsewhere = Path(gettempdir())
    _doctor(elsewhere, "--data-dir", str(data))
    os.seteuid(65534)
    try:
        return _doctor(elsewhere, "--data-dir", str(data))
    finally:
        os.seteuid(0)


def test_the_folder_of_another_user(open_place: Path) -> None:
    open_place.chmod(0o700)
    ended = _as_nobody(open_place)

    assert (1, "") == (ended.code, ended.err)
    expected = (
        f"error data folder nobody may not read and write {open_place}, which belongs to root; run this as "
        "root (`sudo -u root mergecast doctor`), or give nobody the folder with `chown`"
    )
    assert [expected] == _lines(ended, "data folder", "store")


def test_a_folder_that_is_not_writable(open_place: Path) -> None:
    open_place.chmod(0o500)
    if os.geteuid() == 0:
        os.chown(open_place, 65534, 65534)
    ended = _as_nobody(open_place)

    expected = (
        f"error data folder nobody may not read and write {open_place}, which belongs to nobody; "
        f"run `chmod u+rwx {open_place}`, or mount it writable"
    )
    assert [expected] == _lines(ended, "data folder", "store")


def test_a_link_to_the_folder(open_place: Path) -> None:
    """Its owner is that of the folder: systemd makes such links for units with a user of their own."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    os.chown(open_place, 65534, 65534)
    link = open_place.with_name("link")
    link.symlink_to(open_place)

    (line,) = _lines(_doctor(link), "data folder")
    assert line.startswith(f"ok data folder {link}, owned by nobody, writable, ")


def test_a_folder_behind_a_private_one(open_place: Path) -> None:
    open_place.parent.chmod(0o700)
    ended = _as_nobody(open_place)

    expected = (
        f"error data folder nobody may not look into {open_place.parent}; run this as the user of the "
        "server, or give this user access to the folder"
    )
    assert [expected] == _lines(ended, "data folder", "store")


def test_little_disk_space(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(disk)]
    mounted = subprocess.run(command, capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"mounting a small file system is not permitted: {mounted.stderr.decode().strip()}")
    try:
        copy_empty_store(disk)
        (disk / "ballast").write_bytes(bytes(20 << 20))
        ended = _doctor(disk)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)

    (line,) = _lines(ended, "disk")
    assert 1 == ended.code
    assert line.startswith("error disk only ")
    assert line.endswith(
        f" MiB free for {disk}; deliveries get 503 when it is full; "
        "free some space, or move the data folder to a larger disk"
    )


def test_a_store_that_no_server_has_open(folder: Path) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    ended = _doctor(folder)

    schema = MIGRATIONS[-1].number
    assert 0 == ended.code
    assert [
        f"ok store SQLite {sqlite3.sqlite_version}, schema {schema}, 0 repositories, 0 events",
    ] == _lines(ended, "store")
    assert before == {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_store_of_a_newer_version(folder: Path) -> None:
    """Both versions are named, and what to do."""
    known = MIGRATIONS[-1].number
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        connection.execute(f"pragma user_version = {known + 1}")
        connection.execute("update store_state set program = '9.8.7'")
    ended = _doctor(folder)

    assert 1 == ended.code
    expected = (
        f"error store the store was last migrated by mergecast 9.8.7, to schema {known + 1}; this is "
        f"mergecast {__version__}, which knows schemas up to {known}: install mergecast 9.8.7 or a newer "
        "version, or restore a backup made before the upgrade"
    )
    assert [expected] == _lines(ended, "store")


def test_a_store_that_lost_changes(folder: Path) -> None:
    with live_server(folder) as live:
        live.send(worked_example()).raise_for_status()
    (folder / FILE_NAME).unlink()
    ended = _doctor(folder)

    assert 1 == ended.code
    (line,) = _lines(ended, "store")
    assert line.startswith(f"error store the store {folder}/{FILE_NAME} has lost acknowledged changes: ")


def test_a_server_on_another_folder_and_another_program_on_the_port(folder: Path, server: LiveServer) -> None:
    port = server.url.rpartition(":")[2]
    other = _doctor(folder, MERGECAST_PORT=port)
    with LocalServer(lambda _: PlainReply(200, b"hello")) as program:
        taken = _doctor(folder, MERGECAST_PORT=program.url.rpartition(":")[2])

    expected = (
        f"warning server the server at {server.url} uses another store than {folder}; "
        "name its folder with --data-dir, or the server with --url"
    )
    assert [expected] == _lines(other, "server")
    expected = (
        f"error server another program answers at {program.url}, where a server on {folder} would listen; "
        "choose another address with --host and --port, or MERGECAST_HOST and MERGECAST_PORT"
    )
    assert [expected] == _lines(taken, "server")


def test_a_program_on_the_port_that_says_nothing_in_http(folder: Path, tmp_path: Path) -> None:
    """Also if there is no folder yet."""
    with socketserver.TCPServer(("127.0.0.1", 0), _Greeting) as program, ThreadPoolExecutor(1) as pool:
        port = program.server_address[1]
        pool.submit(program.serve_forever, 0.05)
        try:
            ended = [_doctor(data, MERGECAST_PORT=str(port)) for data in (folder, tmp_path / "new")]
        finally:
            program.shutdown()

    advice = "choose another address with --host and --port, or MERGECAST_HOST and MERGECAST_PORT"
    reason = f"cannot listen at http://127.0.0.1:{port}: Address already in use"
    assert [
        [f"error server a server on {folder} {reason}; {advice}"],
        [f"error server a server on {tmp_path}/new {reason}; {advice}"],
    ] == [_lines(one, "server") for one in ended]


class _Greeting(socketserver.BaseRequestHandler):
    """Like a mail server, it speaks first."""

    def handle(self) -> None:
        self.request.sendall(b"220 mail.example ESMTP\r\n")


def test_https_to_a_server_without_tls(server: LiveServer, tmp_path: Path) -> None:
    url = server.url.replace("http://", "https://")
    ended = _doctor(tmp_path, "--url", url, "--token", TOKEN)

    expected = (
        f"error server no answer from {url}: it does not use TLS, so its URL begins with http:// "
        "and not with https://; is it running, and is the address right?"
    )
    assert [expected] == _lines(ended, "server")


def test_no_server(folder: Path) -> None:
    with reserved_ports() as (port,):
        ended = _doctor(folder, MERGECAST_PORT=str(port))

    assert [f"warning server no server is running on {folder}; start one with `mergecast serve`"] == _lines(
        ended, "server"
    )


def test_a_server_elsewhere(server: LiveServer, tmp_path: Path) -> None:
    fine = _doctor(tmp_path, "--url", server.url, "--token", TOKEN)
    refused = _doctor(tmp_path, "--url", server.url, "--token", "another-token-of-32-characters-or-more")
    anonymous = _doctor(tmp_path, "--url", server.url)
    nowhere = _doctor(tmp_path, "--url", "http://127.0.0.1:1", "--token", TOKEN)

    assert (0, [f"ok server {server.url} is ready"]) == (fine.code, _lines(fine, "server"))
    assert [] == _lines(fine, "data folder", "disk", "store", "webhooks")
    assert 1 == refused.code
    assert (
        "error server it does not accept the token (status 403); pass another with --token or "
        "MERGECAST_TOKEN, such as the content of the server's file admin-token"
    ) == _lines(refused, "server")[1]
    assert (
        "warning server without a token, its sources and channels were not checked; "
        "pass one with --token or MERGECAST_TOKEN"
    ) == _lines(anonymous, "server")[1]
    expected = (
        "error server no answer from http://127.0.0.1:1: All connection attempts failed; "
        "is it running, and is the address right?"
    )
    assert [expected] == _lines(nowhere, "server")


def test_webhooks_are_off(folder: Path) -> None:
    ended = _doctor(folder)

    assert (0, [_NO_WEBHOOKS]) == (ended.code, _lines(ended, "webhooks"))


def test_a_public_url_that_disagrees(folder: Path, server: LiveServer) -> None:
    wrong = _doctor(folder, MERGECAST_PUBLIC_URL=f"{server.url}/queues")
    right = _doctor(folder, MERGECAST_PUBLIC_URL=server.url)
    silent = _doctor(folder, MERGECAST_PUBLIC_URL="https://127.0.0.1:1")
    unset = _doctor(folder, MERGECAST_HOST="0.0.0.0")

    assert 1 == wrong.code
    expected = (
        f"error public URL MERGECAST_PUBLIC_URL disagrees with the proxy: {server.url}/queues/healthz "
        "answered 404; set it to the URL that leads to this service, with the path that the proxy adds"
    )
    assert [expected] == _lines(wrong, "public URL")
    assert [f"ok public URL {server.url} leads to a Mergecast server"] == _lines(right, "public URL")
    no_answer = (
        "warning public URL no answer from https://127.0.0.1:1 as seen from here: All connection attempts "
        "failed; open it in a browser; check the proxy and MERGECAST_PUBLIC_URL"
    )
    no_proxies = (
        "warning public URL https://127.0.0.1:1 is behind a proxy, and MERGECAST_TRUSTED_PROXIES is not set, "
        "so limits count all users as one client; set it to the address of the proxy, which must send "
        "X-Forwarded-For"
    )
    assert [no_answer, no_proxies] == _lines(silent, "public URL")
    expected = (
        "warning public URL MERGECAST_PUBLIC_URL is not set, and the server listens on 0.0.0.0; "
        "set it to the address that users open, so that links and cookies are right"
    )
    assert [expected] == _lines(unset, "public URL")


def _sign_in(folder: Path, provider: OidcProvider, **settings: str) -> tuple[int, list[str]]:
    """What is said about signing in with a provider."""
    ended = _doctor(
        folder,
        **{
            "MERGECAST_PUBLIC_URL": "http://127.0.0.1:1/queues",
            "MERGECAST_OIDC_ISSUER": provider.url,
            "MERGECAST_OIDC_CLIENT_ID": APP.client_id,
            "MERGECAST_OIDC_CLIENT_SECRET": APP.client_secret,
            "MERGECAST_OIDC_RIGHTS": RIGHTS,
            **settings,
        },
    )
    lines = _lines(ended, "sign-in", "clock")
    return ended.code, [line.replace(provider.url, "URL") for line in lines]


_DOCUMENT = "URL/.well-known/openid-configuration"
_EXACTLY = "MERGECAST_OIDC_ISSUER must be the issuer exactly as the provider's document states it"


def test_a_provider_that_signs_people_in(folder: Path) -> None:
    """The command reads its documents, and does not sign anyone in."""
    with oidc_provider() as provider:
        found = _sign_in(folder, provider)

    assert (
        0,
        [
            "ok clock agrees with URL",
            (
                "ok sign-in URL answers as it should; its redirect URI for this server must be "
                "http://127.0.0.1:1/queues/v1/session/oidc/return"
            ),
        ],
    ) == found
    assert ["/.well-known/openid-configuration", "/keys"] == provider.asked


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"document": {"issuer": "https://login.acme.example"}},
            f"{_DOCUMENT} is of the issuer `https://login.acme.example`, not of `URL`; {_EXACTLY}",
        ),
        (
            {"document": {"token_endpoint": "http://192.0.2.1/token"}},
            f"{_DOCUMENT} token_endpoint `http://192.0.2.1/token` must begin with https://; {_EXACTLY}",
        ),
        (
            {"replies": {"/.well-known/openid-configuration": PlainReply(404)}},
            f"{_DOCUMENT} answered 404; {_EXACTLY}",
        ),
        (
            {"replies": {"/keys": PlainReply(500)}},
            (
                "the keys of the provider cannot be read: URL/keys answered 500; "
                "so no one can sign in: check the provider"
            ),
        ),
        (
            {"replies": {"/keys": PlainReply(200, b'{"keys": []}')}},
            (
                "URL/keys contains no public key with a `kid` for RS256, ES256 or EdDSA; "
                "let the provider sign ID tokens with one of these algorithms"
            ),
        ),
    ],
)
def test_a_provider_that_cannot_be_used(changes: Mapping[str, Any], expected: str, folder: Path) -> None:
    with oidc_provider() as provider:
        for name, value in changes.items():
            setattr(provider, name, value)
        code, lines = _sign_in(folder, provider)

    assert (1, f"error sign-in {expected}") == (code, lines[1])


def test_a_provider_that_does_not_answer(folder: Path) -> None:
    code, lines = _sign_in(folder, OidcProvider("http://127.0.0.1:1"))

    expected = f"error sign-in no answer from {_DOCUMENT}: All connection attempts failed; {_EXACTLY}"
    assert (1, ["ok clock no other clock to compare with", expected]) == (code, lines)


def test_half_the_settings_of_a_provider(folder: Path) -> None:
    ended = _doctor(folder, MERGECAST_OIDC_ISSUER="https://login.acme.example")

    assert (
        "error settings signing in with OpenID Connect also needs MERGECAST_OIDC_CLIENT_ID, "
        "MERGECAST_OIDC_CLIENT_SECRET, MERGECAST_OIDC_RIGHTS"
    ) == _lines(ended, "settings")[1]
    assert [] == _lines(ended, "sign-in")


_FOLLOW = json.dumps([{"source": "github", "repository": "acme/web"}])
_RIGHTS = {
    "/rate_limit": {"resources": {}},
    "/repos/acme/web/branches": [],
    "/repos/acme/web/pulls": [],
    "/repos/acme/web/commits/HEAD/check-runs": {"check_runs": []},
    "/repos/acme/web/commits/HEAD/status": {"statuses": []},
}


def _platform(folder: Path, changes: Mapping[str, object]) -> tuple[int, list[str]]:
    with GitHubServer({**_RIGHTS, **changes}) as github:
        ended = _doctor(
            folder,
            MERGECAST_GITHUB_URL=github.url,
            MERGECAST_GITHUB_TOKEN=GITHUB_TOKEN,
            MERGECAST_FOLLOW=_FOLLOW,
        )
        return ended.code, [line.replace(github.url, "URL") for line in _lines(ended, "platform")]


_ACCEPTED = "ok platform URL accepts MERGECAST_GITHUB_TOKEN"
_ALL = "contents, pull requests, checks, commit statuses"


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        ((), f"ok platform MERGECAST_GITHUB_TOKEN may read acme/web: {_ALL}"),
        (
            ("/repos/acme/web/commits/HEAD/check-runs",),
            "error platform MERGECAST_GITHUB_TOKEN may not read checks of acme/web; give it read access",
        ),
        (
            tuple(path for path in _RIGHTS if path.startswith("/repos")),
            "error platform MERGECAST_GITHUB_TOKEN may not read acme/web; give it access, and check the name",
        ),
    ],
)
def test_what_the_token_may_read(refused: Sequence[str], expected: str, folder: Path) -> None:
    changes = dict.fromkeys(refused, Reply(403, {"message": "Resource not accessible"}))

    assert (int(bool(refused)), [_ACCEPTED, expected]) == _platform(folder, changes)


@pytest.mark.parametrize(
    ("missing", "what"),
    [
        (tuple(path for path in _RIGHTS if path.startswith("/repos")), "acme/web"),
        (("/repos/acme/web/commits/HEAD/status",), "commit statuses of acme/web"),
    ],
)
def test_what_the_platform_does_not_find(missing: Sequence[str], what: str, folder: Path) -> None:
    """The name may be wrong, so the token is not blamed."""
    changes = dict.fromkeys(missing, Reply(404, {"message": "Not Found"}))

    expected = (
        f"error platform not found: {what} (404); check the name; "
        "the answer is the same if MERGECAST_GITHUB_TOKEN may not read it"
    )
    assert (1, [_ACCEPTED, expected]) == _platform(folder, changes)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (
            401,
            "error platform URL does not accept MERGECAST_GITHUB_TOKEN (401); create another, if it expired",
        ),
        (403, "error platform URL refuses MERGECAST_GITHUB_TOKEN (403); authorize it for the organization"),
        (500, "warning platform URL/rate_limit answered 500; check the URL"),
    ],
)
def test_a_platform_that_refuses(status: int, expected: str, folder: Path) -> None:
    code, lines = _platform(folder, {"/rate_limit": Reply(status, {})})

    assert (int(status < 500), [expected]) == (code, lines)


def test_a_platform_that_cannot_be_reached(folder: Path) -> None:
    with_token = _doctor(
        folder, MERGECAST_GITHUB_URL="http://127.0.0.1:1", MERGECAST_GITHUB_TOKEN=GITHUB_TOKEN
    )
    without = _doctor(folder, MERGECAST_GITHUB_URL="http://127.0.0.1:1")

    message = (
        "platform GitHub cannot be reached at http://127.0.0.1:1: All connection attempts failed; check the "
        "network and the firewall of this machine; Mergecast uses no proxy for outgoing requests"
    )
    assert (1, [f"error {message}"]) == (with_token.code, _lines(with_token, "platform"))
    assert (0, [f"warning {message}"]) == (without.code, _lines(without, "platform"))


class _InThePast(BaseHTTPRequestHandler):
    """A platform whose clock stopped at the beginning of 2026."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def date_time_string(self, timestamp: float | None = None) -> str:
        return formatdate(1_767_225_600 if timestamp is None else timestamp, usegmt=True)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_clock_that_is_wrong(folder: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _InThePast) as platform:
        thread = threading.Thread(target=platform.serve_forever, args=(0.02,))
        thread.start()
        url = f"http://127.0.0.1:{platform.server_port}"
        ended = _doctor(folder, MERGECAST_GITHUB_URL=url)
        platform.shutdown()
        thread.join()

    (line,) = _lines(ended, "clock")
    assert 1 == ended.code
    assert line.startswith("error clock it is ")
    advice = "set the clock of this machine with NTP (`timedatectl set-ntp true`)"
    assert line.endswith(f" ahead of that of {url}; {advice}")


def test_settings(folder: Path) -> None:
    """Invalid ones are named, unknown ones too, and secrets are hidden wherever they are."""
    password = remember("hunter2-hunter2-hunter2")
    followed = {"source": "github", "repository": f"https://me:{password}@x/y", "as": "x/y"}
    ended = _doctor(
        folder,
        MERGECAST_PORT="many",
        MERGECAST_DATA_DRI="x",
        MERGECAST_SMTP_URL=f"smtps://me:{password}@mail.example.com:465?from=a@example.com&key={_SECRET}",
        MERGECAST_WEBHOOK_SECRETS=_SECRETS,
        MERGECAST_ADMIN_TOKEN=TOKEN,
        MERGECAST_FOLLOW=json.dumps([followed]),
    )

    assert 1 == ended.code
    shown, invalid, unknown = _lines(ended, "settings")
    assert (
        f"ok settings MERGECAST_ADMIN_TOKEN=…, MERGECAST_DATA_DIR={folder}, MERGECAST_DATA_DRI=…, "
        "MERGECAST_FOLLOW=…, MERGECAST_GITHUB_URL=, MERGECAST_PORT=many, "
        "MERGECAST_SMTP_URL=…, MERGECAST_WEBHOOK_SECRETS=…"
    ) == shown
    assert invalid.startswith("error settings MERGECAST_PORT: Input should be a valid integer")
    assert "warning settings MERGECAST_DATA_DRI has no effect; did you mean MERGECAST_DATA_DIR?" == unknown


def test_one_that_never_answers_is_given_up(folder: Path) -> None:
    """The limit is shorter here; what else was found is reported."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        ended = patient_doctor(folder, seconds=0.3, MERGECAST_GITHUB_URL=url, MERGECAST_PORT="0")

    expected = (
        f"warning platform GitHub cannot be reached at {url}: no complete answer within 0.3 seconds; "
        "check the network and the firewall of this machine; Mergecast uses no proxy for outgoing requests"
    )
    assert [expected] == _lines(ended, "platform")
    assert _lines(ended, "store")[0].startswith("ok store SQLite")
