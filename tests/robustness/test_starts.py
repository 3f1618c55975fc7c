"""A failed start ends the process with a reason; damage found later causes no internal error."""

import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from builders import entered
from live_server import LiveServer, live_server
from local_client import get
from logged_secrets import remember
from mergecast.process.data_folder import Address, DataFolder, UnreadableFile
from mergecast.queues.store.opening import FILE_NAME
from robustness.forked_process import ForkedProcess

TOKEN = remember("start-token-of-more-than-32-characters")
_SECONDS = 240
_PAGE = 4096


def _arguments(folder: Path) -> list[str]:
    return ["serve", "--data-dir", str(folder), "--port", "0"]


def _failed_start(folder: Path) -> tuple[int, str]:
    """The exit code and the output; a start that hangs fails the test."""
    with TemporaryFile() as output:
        process = ForkedProcess(output, command=_arguments(folder))
        try:
            code = process.wait(_SECONDS)
        finally:
            process.kill()
        output.seek(0)
        return code, output.read().decode()


@pytest.fixture(scope="module")
def filled_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store with some events, whose server has stopped."""
    folder = tmp_path_factory.mktemp("filled")
    with live_server(folder) as live:
        _fill(live)
    (folder / "admin-token").write_text(TOKEN + "\n", encoding="ascii")
    return folder


@pytest.fixture
def folder(tmp_path: Path, filled_folder: Path) -> Path:
    """A copy that the test may damage."""
    return shutil.copytree(filled_folder, tmp_path / "data")


def _fill(live: LiveServer) -> None:
    for part in range(4):
        events = [
            entered("2026-03-02T10:00:00Z", f"{part}-{number}", number, base_ref=f"ref-{number % 50}")
            for number in range(5000)
        ]
        live.send(events).raise_for_status()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"short", "the admin token needs at least 32 characters; delete the file admin-token in the data "),
        (
            b"\xff" * 40,
            "admin-token cannot be read: its content is not valid; make it readable, or delete ",
        ),
    ],
    ids=["short", "not text"],
)
def test_an_invalid_admin_token(tmp_path: Path, content: bytes, message: str) -> None:
    """The process exits with 1 and says what to do; the folder is unlocked again."""
    (tmp_path / "admin-token").write_bytes(content)

    code, errors = _failed_start(tmp_path)

    assert (1, True) == (code, message in errors), errors
    assert code == _failed_start(tmp_path)[0]


def test_an_admin_token_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder in its place cannot be read, not even by root."""
    (tmp_path / "admin-token").mkdir()

    code, errors = _failed_start(tmp_path)

    assert (1, True) == (code, "admin-token cannot be read: " in errors), errors


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b'{"url": 1}'], ids=str)
def test_a_damaged_server_json(folder: Path, content: bytes) -> None:
    """While its server runs, a command says what is wrong and what to do."""
    holder = DataFolder(folder)
    assert holder.take()
    (folder / "server.json").write_bytes(content)
    try:
        with pytest.raises(UnreadableFile) as unreadable:
            DataFolder(folder).address()
    finally:
        holder.release()

    assert str(unreadable.value) == (
        f"{folder}/server.json cannot be read: its content is not valid; restart the server, which writes it "
        "again, or name the server with --url and --token"
    )
    assert not (folder / "server.json").exists()


def test_a_server_json_that_cannot_be_replaced(tmp_path: Path) -> None:
    """A folder in its place does not keep the server from starting; it cannot publish its address."""
    (tmp_path / "server.json").mkdir()
    folder = DataFolder(tmp_path)

    assert folder.take()
    with pytest.raises(IsADirectoryError):
        folder.publish(Address("http://127.0.0.1:1", TOKEN))
    folder.release()


def test_server_json_cannot_be_written(folder: Path, tmp_path: Path) -> None:
    """The server starts without the file, says so and answers requests."""
    (folder / "server.json.new").mkdir()  # Makes the write fail, as on a full disk, even for root.
    with (tmp_path / "printed").open("w+b") as printed, (tmp_path / "errors").open("w+b") as errors:
        process = ForkedProcess(printed, errors, command=_arguments(folder))
        try:
            url = _first_line(process, tmp_path / "printed").split()[3].rstrip(",")
            answer = get(
                f"{url}/v1/repos/acme/widgets/stats/queues", headers={"Authorization": f"Bearer {TOKEN}"}
            )
            process.send_signal(signal.SIGTERM)
            process.wait(_SECONDS)
        finally:
            process.kill()

    said = (tmp_path / "errors").read_text(encoding="utf-8")
    assert 200 == answer.status_code
    assert f"cannot write {folder}/server.json: " in said
    assert f"serving without it. Commands on this machine need --url {url} and --token" in said


def _first_line(process: ForkedProcess, printed: Path) -> str:
    deadline = time.monotonic() + _SECONDS
    while b"\n" not in (content := printed.read_bytes()):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return content.partition(b"\n")[0].decode()


def _truncated(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.truncate(file.stat().st_size // 2)


def _zeroed_header(file: Path) -> None:
    _overwrite(file, 0, bytes(_PAGE))


def _flipped_bit(file: Path) -> None:
    _overwrite(file, 8, b"\xa5")


def _overwrite(file: Path, place: int, content: bytes) -> None:
    with file.open("r+b") as stream:
        stream.seek(place)
        stream.write(content)


@pytest.mark.parametrize("damage", [_truncated, _zeroed_header, _flipped_bit])
def test_a_damaged_store(folder: Path, damage: Callable[[Path], None]) -> None:
    """The process exits with 1, and says why and what to do."""
    damage(folder / FILE_NAME)

    code, errors = _failed_start(folder)

    assert 1 == code, errors
    assert f"the store {folder / FILE_NAME} cannot be opened: " in errors
    assert (
        "; restore a backup into an empty folder, without the mergecast.sqlite-wal of another store" in errors
    )


def test_a_missing_database(folder: Path) -> None:
    """A server does not begin with an empty store where there was one; it changes nothing."""
    (folder / FILE_NAME).unlink()
    before = {file.name for file in folder.iterdir()}

    code, errors = _failed_start(folder)

    assert 1 == code, errors
    assert f"the store {folder / FILE_NAME} has lost acknowledged changes: {FILE_NAME} is missing. " in errors
    assert "Nothing was changed. " in errors
    assert f"move `{FILE_NAME}.acknowledged` out of the folder" in errors
    assert before | {"server.lock"} == {file.name for file in folder.iterdir()}


@contextmanager
def _with_a_damaged_page(folder: Path) -> Iterator[LiveServer]:
    """A server on a copy of the store in which one page of events is zeroed."""
    file = folder / FILE_NAME
    acknowledged = file.with_name(f"{FILE_NAME}.acknowledged")
    whole, record = file.read_bytes(), acknowledged.read_bytes()
    for place in range(_PAGE, len(whole), _PAGE):
        _overwrite(file, place, bytes(_PAGE))
        try:
            with live_server(folder) as live:
                if live.http.get("/v1/repos/acme/widgets/events").status_code != 200:
                    yield live
                    return
        except Exception as error:  # noqa: BLE001 - this page was needed to open the store
            assert "cannot be opened" in str(error), error  # noqa: PT017
        # A server that has opened the store may have written to it.
        file.write_bytes(whole)
        acknowledged.write_bytes(record)
    raise AssertionError("no page of events was found")


def test_damage_found_while_running(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The response is 503, the log and /readyz report the damage, and undamaged data is still served."""
    with _with_a_damaged_page(folder) as live:
        exported = live.http.get("/v1/repos/acme/widgets/events")
        ready = live.http.get("/readyz")
        alive = live.http.get("/healthz")
        repositories = live.http.get("/v1/repos")

    detail = "a part of the store is damaged; the operator has to restore a backup"
    assert [(503, detail)] * 2 == [(one.status_code, one.json()["detail"]) for one in (exported, ready)]
    assert [200, 200] == [one.status_code for one in (alive, repositories)]
    logged = capfd.readouterr().err
    assert '"event":"the store is damaged"' in logged
    assert "database disk image is malformed (SQLITE_CORRUPT" in logged
