"""Damaged, missing and older files: a store serves everything that was acknowledged, or says what is lost."""

import asyncio
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from mergecast.queues.store.errors import StoreDamaged, StoreUnreadable
from store.damaged_store import (
    ALL_EVENTS,
    DATABASE,
    EVENTS,
    LOG,
    NAMES,
    RECORD,
    Copies,
    Damage,
    append,
    both,
    contents,
    copy_files,
    cut,
    cut_in_half,
    double,
    exchange,
    flip,
    flip_middle,
    in_file,
    make_copies,
    merge_first_page,
    open_at,
    overwrite,
    record,
    replace_by_folder,
    served,
    with_files,
    without,
)

pytestmark = pytest.mark.thorough

_LAST = "The last acknowledged change, number 60, is from 2026-03-01T10:30:00Z"
_PUT_BACK = "Nothing was changed. Put the right files back, or restore a backup into an empty folder"
_BOTH = f"`{RECORD}` and `{LOG}`"
_DAMAGED = "is damaged, incomplete or of another store"
_LEFT = "what is left"


def _lost(what: str, left: str = _LEFT, moved: str = _BOTH) -> str:
    return (
        f"the store {DATABASE} has lost acknowledged changes: {what}. {_LAST}. {_PUT_BACK}. "
        f"To continue with {left} instead, move {moved} out of the folder"
    )


def _missing(changes: str, log: str = _DAMAGED, moved: str = _BOTH) -> str:
    return _lost(f"{changes} of 60 are missing, because {LOG} {log}", moved=moved)


def _file(what: str, moved: str = _BOTH) -> str:
    return _lost(f"{DATABASE} {what}", f"this {DATABASE}", moved)


def _gone(moved: str = _BOTH) -> str:
    return _lost(f"{DATABASE} is missing", "an empty store", moved)


def _not_a_file(name: str) -> str:
    return f"{name} is not a file; move it out of the folder, or restore a backup"


_OLDER = "is an older copy: 60 changes of 60 are missing"
_OTHER = "is that of another store"

# What happens to the files, and the message.
REPORTED: dict[str, tuple[Damage, str]] = {
    "log: first byte": (in_file(LOG, flip, 0), _missing("30 changes")),
    "log: salt": (in_file(LOG, flip, 16), _missing("30 changes")),
    "log: checksum of the header": (in_file(LOG, flip, 24), _missing("30 changes")),
    "log: first frame": (in_file(LOG, flip, 40), _missing("30 changes")),
    "log: four bytes": (in_file(LOG, overwrite, 100, b"\xa5" * 4), _missing("30 changes")),
    "log: emptied": (in_file(LOG, cut, 0), _missing("30 changes")),
    "log: cut to a byte": (in_file(LOG, cut, 1), _missing("30 changes")),
    "log: zeroed": (in_file(LOG, overwrite, 0, bytes(5_000)), _missing("30 changes")),
    "log: removed": (without(LOG), _missing("30 changes", "is missing", f"`{RECORD}`")),
    "log: folder": (in_file(LOG, replace_by_folder), _not_a_file(LOG)),
    "log: of another store": (with_files(LOG, of="other"), _missing("30 changes")),
    "log: of the time before": (with_files(LOG, of="unmerged"), _missing("30 changes")),
    "log: shorter copy": (with_files(LOG, of="earlier"), _missing("15 changes", moved=f"`{RECORD}`")),
    "log: last byte missing": (
        in_file(LOG, cut, -1),
        _lost(f"1 change of 60 is missing, because {LOG} {_DAMAGED}", moved=f"`{RECORD}`"),
    ),
    "log: end zeroed": (
        in_file(LOG, overwrite, -100, bytes(100)),
        _lost(f"1 change of 60 is missing, because {LOG} {_DAMAGED}", moved=f"`{RECORD}`"),
    ),
    "all: shorter copy": (
        with_files(DATABASE, LOG, of="earlier"), _missing("15 changes", moved=f"`{RECORD}`")
    ),
    "database: removed": (without(DATABASE), _gone()),
    "database: removed with its log": (without(DATABASE, LOG), _gone(f"`{RECORD}`")),
    "database: emptied": (in_file(DATABASE, cut, 0), _file("is empty")),
    "database: cut to a byte": (in_file(DATABASE, cut, 1), _file("is empty")),
    "database: folder": (in_file(DATABASE, replace_by_folder), _not_a_file(DATABASE)),
    "database: older copy": (with_files(DATABASE, of="unmerged"), _file(_OLDER)),
    "database: older copy with its log": (with_files(DATABASE, LOG, of="unmerged"), _file(_OLDER)),
    "database: other store": (with_files(DATABASE, of="other"), _file(_OTHER)),
    "database: other store with its log": (with_files(DATABASE, LOG, of="other"), _file(_OTHER)),
    "record: of a later time": (
        with_files(RECORD, of="stopped"), _file("is an older copy: 30 changes of 60 are missing")
    ),
    "record: folder": (in_file(RECORD, replace_by_folder), _not_a_file(RECORD)),
}  # fmt: skip

# A log that is damaged in the middle: how many changes are left depends on where.
DAMAGED_LOG: dict[str, Damage] = {
    "half": in_file(LOG, cut_in_half),
    "middle": in_file(LOG, flip_middle),
    "middle zeroed": in_file(LOG, overwrite, 400_000, bytes(4096)),
}

_MERGED = both(with_files(DATABASE, of="stopped"), without(LOG))

# What SQLite cannot read.
NOT_OPENED: dict[str, Damage] = {
    "half": in_file(DATABASE, cut_in_half),
    "first 4 KiB zeroed": both(_MERGED, in_file(DATABASE, overwrite, 0, bytes(4096))),
    "magic bytes": both(_MERGED, in_file(DATABASE, flip, 8)),
    "merged in part, and log removed": both(merge_first_page, without(LOG)),
    "merged in part, and log damaged": both(merge_first_page, in_file(LOG, flip, 0)),
    "exchanged with the log": exchange,
}

# Everything that was acknowledged is there.
SERVED: dict[str, Damage] = {
    "nothing": lambda _, __: None,
    "log: bytes appended": in_file(LOG, append, b"\x07" * 100),
    "log: zeros appended": in_file(LOG, append, bytes(5_000)),
    "log: doubled": in_file(LOG, double),
    "database: merged in part": merge_first_page,
    "database: first 4 KiB, which the log has, zeroed": in_file(DATABASE, overwrite, 0, bytes(4096)),
    "database: magic bytes, which the log has": in_file(DATABASE, flip, 8),
    "database: last byte, which the log has, missing": in_file(DATABASE, cut, -1),
    "database: backup": with_files(DATABASE, of="backup"),
    "database: backup, and log removed": both(with_files(DATABASE, of="backup"), without(LOG)),
    "record: removed": without(RECORD),
    "record: emptied": in_file(RECORD, cut, 0),
    "record: half": in_file(RECORD, cut_in_half),
    "record: text": in_file(RECORD, Path.write_bytes, b"x" * 1024),
    "record: first slot": in_file(RECORD, flip, 12),
    "record: second slot": in_file(RECORD, flip, 140),
    "record: older": with_files(RECORD, of="earlier"),
    "record: before the log was merged": with_files(RECORD, of="unmerged"),
}


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Copies:
    return make_copies(tmp_path_factory.mktemp("copies"))


@pytest.fixture
def folder(tmp_path: Path, copies: Copies) -> Path:
    """The files of a killed store, for the test to damage."""
    return copy_files(copies.killed, tmp_path / "data")


def _refused(folder: Path) -> str:
    """The message of a store that does not open. It changes nothing."""
    before = contents(folder)
    with pytest.raises(StoreUnreadable) as refused:
        open_at(folder)
    assert before == contents(folder)
    return str(refused.value).replace(f"{folder}/", "")


@pytest.mark.parametrize("name", REPORTED)
def test_what_is_lost_is_reported_and_nothing_changed(copies: Copies, folder: Path, name: str) -> None:
    damage, message = REPORTED[name]
    damage(folder, copies)

    assert message == _refused(folder)


@pytest.mark.parametrize("name", DAMAGED_LOG)
def test_a_log_damaged_in_the_middle(copies: Copies, folder: Path, name: str) -> None:
    """The operator may continue with what is before the damage."""
    DAMAGED_LOG[name](folder, copies)

    message = _refused(folder)
    (folder / RECORD).unlink()
    left = len(served(folder))

    assert EVENTS < left < 2 * EVENTS
    assert _missing(f"{2 * EVENTS - left} changes", moved=f"`{RECORD}`") == message


@pytest.mark.parametrize("name", NOT_OPENED)
def test_files_that_cannot_be_opened(copies: Copies, folder: Path, name: str) -> None:
    NOT_OPENED[name](folder, copies)

    message = _refused(folder)

    assert message.startswith(f"the store {DATABASE} cannot be opened: ")
    assert message.endswith(
        f"; restore a backup into an empty folder, without the {LOG} of another store. {_LAST}"
    )


@pytest.mark.parametrize("name", SERVED)
def test_everything_acknowledged_is_served(copies: Copies, folder: Path, name: str) -> None:
    """Also what is stored after that, if the process is killed again."""
    SERVED[name](folder, copies)

    store = open_at(folder)
    record(store, NAMES[1], EVENTS, EVENTS + 2)
    killed = copy_files(folder, folder.with_name("killed again"))
    store.close()

    assert ALL_EVENTS | {"api-30", "api-31"} == served(killed) == served(folder)
    assert set() == contents(folder).keys() - {DATABASE, LOG, RECORD}


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("log: first byte", 30),
        ("log: of another store", 30),
        ("log: of the time before", 30),
        ("log: shorter copy", 45),
        ("database: removed", 0),
        ("database: other store", 0),
        ("record: of a later time", 30),
    ],
)
def test_the_operator_may_continue_with_what_is_left(
    copies: Copies, folder: Path, name: str, events: int
) -> None:
    """By moving what the message names."""
    damage, message = REPORTED[name]
    damage(folder, copies)
    for moved in re.findall(r"`([^`]+)`", message):
        (folder / moved).unlink()

    assert events == len(served(folder)) == len(served(folder))


@contextmanager
def _as_an_ordinary_user(folder: Path) -> Iterator[Path]:
    """Permissions do not stop the administrator. The path is relative: its parents may be private."""
    is_root, before = os.geteuid() == 0, Path.cwd()
    os.chdir(folder)
    try:
        if is_root:
            folder.chmod(0o777)
            os.seteuid(65534)
        yield Path()
    finally:
        if is_root:
            os.seteuid(0)
        os.chdir(before)


@pytest.mark.parametrize("name", [DATABASE, LOG, RECORD])
def test_files_of_another_user(folder: Path, name: str) -> None:
    for file in folder.iterdir():
        file.chmod(0o666)
    (folder / name).chmod(0o044)

    with _as_an_ordinary_user(folder) as here, pytest.raises(StoreUnreadable) as refused:
        open_at(here)

    assert f"{name} is not readable and writable for this user; change its permissions" == str(refused.value)


def test_flipped_bits_anywhere_in_the_log(tmp_path: Path, copies: Copies) -> None:
    """Nothing disappears silently, wherever a bit is wrong."""
    chance, size = Random(LOG), (copies.killed / LOG).stat().st_size
    for number in range(12):
        folder = copy_files(copies.killed, tmp_path / str(number))
        flip(folder / LOG, chance.randrange(size), 1 << chance.randrange(8))
        before = contents(folder)
        try:
            assert ALL_EVENTS == served(folder)
        except StoreUnreadable:
            assert before == contents(folder)


def test_a_page_that_cannot_be_read(tmp_path: Path, copies: Copies) -> None:
    """Whoever asks for it learns so, and the store says so from then on."""
    folder = copy_files(copies.stopped, tmp_path / "data")
    for page in range(4096, (folder / DATABASE).stat().st_size, 4096):
        whole = copy_files(folder, tmp_path / f"page-{page}")
        overwrite(whole / DATABASE, page, bytes(4096))
        try:
            store = open_at(whole)
        except StoreUnreadable:
            continue  # this page was needed to open the store
        try:
            for known in asyncio.run(store.repositories()):
                asyncio.run(store.rebuild(known.repository))
        except StoreDamaged:
            with pytest.raises(StoreDamaged):
                asyncio.run(store.ping())
            return
        finally:
            store.close()
    pytest.fail("no page was missed")
