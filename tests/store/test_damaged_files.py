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
    open_at,
    overwrite,
    record,
    replace_by_folder,
    served,
    with_files,
    without,
)

_LAST = "The last acknowledged change is from 2026-03-01T10:30:00Z, when the store had"
_ACKNOWLEDGED = f"{_LAST} 60 events in 2 repositories"
_PUT_BACK = "Nothing was changed. Put the right files back, or restore a backup into an empty folder"
_INSTEAD = f"To continue with this {DATABASE} instead, move"
_WITHOUT_LOG = "Without its log, the store is in the state of 2026-03-01T09:00:00Z"
_BOTH = f"`{RECORD}` and `{LOG}`"
_SOMETHING_ELSE = (
    "as many events as before, so the lost changes are of something else, such as deliveries of sources, "
    "settings, keys or sessions"
)


def _amount(events: int, repositories: str = "2 repositories") -> str:
    return f"What is left has {events} events in {repositories}"


def _left(events: int, repositories: str = "2 repositories") -> str:
    """The same with what is lost, of 60 events."""
    missing = 60 - events
    fewer = "1 event fewer" if missing == 1 else f"{missing} events fewer"
    return f"{_amount(events, repositories)}: {fewer if missing else _SOMETHING_ELSE}"


_IN_FILE = _left(EVENTS, "1 repository")
_NOT_READABLE = "What is left cannot be read"


def _lost(reason: str, left: str = _IN_FILE, moved: str = _BOTH) -> str:
    told = f"the store {DATABASE} has lost acknowledged changes: {reason}. {_ACKNOWLEDGED}. {left}"
    return f"{told}. {_PUT_BACK}. {_INSTEAD} {moved} out of the folder"


def _strange_log(left: str = _IN_FILE) -> str:
    return _lost(f"{LOG} does not begin like a log", left)


def _other_log() -> str:
    return _lost(f"{LOG} belongs to another state of the store", _WITHOUT_LOG)


def _older(left: str, moved: str) -> str:
    return _lost(f"{DATABASE} is an older copy", left, moved)


def _other_store(left: str, moved: str, acknowledged: str = _ACKNOWLEDGED) -> str:
    told = f"the store {DATABASE} is not the one that was here before; it may be a restored backup"
    return f"{told}. {acknowledged}. {left}. {_PUT_BACK}. {_INSTEAD} {moved} out of the folder"


def _gone(moved: str) -> str:
    return (
        f"the store {DATABASE} has lost acknowledged changes: {DATABASE} is missing. {_ACKNOWLEDGED}. "
        f"Nothing is left. Nothing was changed. Put {DATABASE} back, or restore a backup into an empty "
        f"folder. To continue with an empty store instead, move {moved} out of the folder"
    )


def _not_a_file(name: str) -> str:
    return f"{name} is not a file; move it out of the folder, or restore a backup"


# What happens to the files, and the message.
REPORTED: dict[str, tuple[Damage, str]] = {
    "log: first byte": (in_file(LOG, flip, 0), _strange_log()),
    "log: type": (in_file(LOG, flip, 2), _strange_log(_WITHOUT_LOG)),
    "log: version": (in_file(LOG, flip, 5), _strange_log(_WITHOUT_LOG)),
    "log: length of the identity": (in_file(LOG, flip, 8), _strange_log()),
    "log: identity": (in_file(LOG, flip, 9, 1), _other_log()),
    "log: first 4 KiB zeroed": (in_file(LOG, overwrite, 0, bytes(4096)), _strange_log()),
    "log: emptied": (in_file(LOG, cut, 0), _lost(f"{LOG} is missing or empty")),
    "log: cut to a byte": (in_file(LOG, cut, 1), _strange_log()),
    "log: removed": (without(LOG), _lost(f"{LOG} is missing or empty", moved=f"`{RECORD}`")),
    "log: before the last checkpoint": (with_files(LOG, of="unmerged"), _other_log()),
    "log: of another store": (with_files(LOG, of="other"), _other_log()),
    "log: text": (in_file(LOG, Path.write_bytes, b"not a log " * 9_000), _strange_log()),
    "log: folder": (in_file(LOG, replace_by_folder), _not_a_file(LOG)),
    "database: removed": (without(DATABASE), _gone(_BOTH)),
    "database: removed with its log": (without(DATABASE, LOG), _gone(f"`{RECORD}`")),
    "database: folder": (in_file(DATABASE, replace_by_folder), _not_a_file(DATABASE)),
    "database: header zeroed": (
        in_file(DATABASE, overwrite, 4096, bytes(4096)),
        _older(_NOT_READABLE, _BOTH),
    ),
    "database: identity": (in_file(DATABASE, flip, 124), _other_store(_NOT_READABLE, _BOTH)),
    "database: older copy": (with_files(DATABASE, of="unmerged"), _older(_NOT_READABLE, _BOTH)),
    "database: older copy with its log": (
        with_files(DATABASE, LOG, of="unmerged"),
        _older(_IN_FILE, f"`{RECORD}`"),
    ),
    "database: other store": (with_files(DATABASE, of="other"), _other_store(_NOT_READABLE, _BOTH)),
    "database: other store with its log": (
        with_files(DATABASE, LOG, of="other"),
        _other_store(_amount(3, "1 repository"), f"`{RECORD}`"),
    ),
    "database: backup": (with_files(DATABASE, of="backup"), _other_store(_NOT_READABLE, _BOTH)),
    "database: backup, and log removed": (
        both(with_files(DATABASE, of="backup"), without(LOG)),
        _other_store(_amount(60), f"`{RECORD}`"),
    ),
    "record: of a later time": (with_files(RECORD, of="stopped"), _older(_left(60), f"`{RECORD}`")),
    "record: of another store": (
        with_files(RECORD, of="other"),
        _other_store(_amount(60), f"`{RECORD}`", f"{_LAST} 3 events in 1 repository"),
    ),
    "record: folder": (in_file(RECORD, replace_by_folder), _not_a_file(RECORD)),
}

# The same for a log without its end.
SHORT_LOG: dict[str, tuple[Damage, int]] = {
    "half": (in_file(LOG, cut_in_half), 44),
    "last byte missing": (in_file(LOG, cut, -1), 59),
    "shorter copy": (with_files(LOG, of="earlier"), 45),
    "shorter copy, and of the database": (with_files(DATABASE, LOG, of="earlier"), 45),
}

# It depends on chance whether the length of an entry is wrong, or its checksum.
DAMAGED_LOG: dict[str, Damage] = {
    "middle": in_file(LOG, flip_middle),
    "middle zeroed": in_file(LOG, overwrite, 20_000, bytes(4096)),
    "end zeroed": in_file(LOG, overwrite, -4096, bytes(4096)),
}

# What DuckDB reports, and whether the store can be opened without its log.
NOT_OPENED: dict[str, tuple[Damage, bool]] = {
    "log: last byte": (in_file(LOG, flip, -1), True),
    "log: of an older file": (with_files(DATABASE, of="stopped"), True),
    "database: emptied": (in_file(DATABASE, cut, 0), False),
    "database: cut to a byte": (in_file(DATABASE, cut, 1), False),
    "database: half": (in_file(DATABASE, cut_in_half), False),
    "database: first 4 KiB zeroed": (in_file(DATABASE, overwrite, 0, bytes(4096)), False),
    "database: magic bytes": (in_file(DATABASE, flip, 8), False),
    "database: first header": (in_file(DATABASE, flip, 4104), False),
    "database: second header": (in_file(DATABASE, flip, 8200), False),
    "database: first block": (in_file(DATABASE, flip, 12_300), False),
    "database: exchanged with the log": (exchange, False),
}

# Everything that was acknowledged is there; what is kept beside it.
SERVED: dict[str, tuple[Damage, set[str]]] = {
    "nothing": (lambda _, __: None, set()),
    "log: bytes appended": (in_file(LOG, append, b"\x07" * 100), set()),
    "log: zeros appended": (in_file(LOG, append, bytes(5_000)), set()),
    "log: doubled": (in_file(LOG, double), set()),
    "database: last byte missing": (in_file(DATABASE, cut, -1), set()),
    "record: removed": (without(RECORD), set()),
    "record: emptied": (in_file(RECORD, cut, 0), set()),
    "record: half": (in_file(RECORD, cut_in_half), set()),
    "record: text": (in_file(RECORD, Path.write_bytes, b"x" * 1024), {f"{RECORD}.rejected-1"}),
    "record: first slot": (in_file(RECORD, flip, 40), set()),
    "record: second slot": (in_file(RECORD, flip, 552), set()),
    "record: older": (with_files(RECORD, of="earlier"), set()),
    "record: before the last checkpoint": (with_files(RECORD, of="unmerged"), set()),
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


@pytest.mark.parametrize("name", SHORT_LOG)
def test_a_log_without_its_end(copies: Copies, folder: Path, name: str) -> None:
    damage, left = SHORT_LOG[name]
    damage(folder, copies)

    sizes = [(place / LOG).stat().st_size for place in (folder, copies.killed)]
    reason = "{} has {:,} bytes and had {:,}".format(LOG, *sizes)
    assert _lost(reason, _left(left), f"`{RECORD}`") == _refused(folder)


@pytest.mark.parametrize("name", DAMAGED_LOG)
def test_a_log_damaged_in_the_middle(copies: Copies, folder: Path, name: str) -> None:
    DAMAGED_LOG[name](folder, copies)

    message = _refused(folder)

    assert message.startswith(
        (
            f"the store {DATABASE} has lost acknowledged changes: {LOG} is damaged after byte ",
            f'the store {DATABASE} cannot be opened: Failure while replaying WAL file "{LOG}": ',
        )
    )
    assert _ACKNOWLEDGED in message
    assert message.endswith(" out of the folder")


@pytest.mark.parametrize("name", NOT_OPENED)
def test_files_that_cannot_be_opened(copies: Copies, folder: Path, name: str) -> None:
    damage, is_without_log = NOT_OPENED[name]
    damage(folder, copies)

    message = _refused(folder)

    assert message.startswith(f"the store {DATABASE} cannot be opened: ")
    advice = f"; restore a backup into an empty folder, without the {LOG} of another store. {_ACKNOWLEDGED}"
    if is_without_log:
        advice += (
            f". To continue with the state of 2026-03-01T09:00:00Z instead, move {_BOTH} out of the folder"
        )
    assert message.endswith(advice)


@pytest.mark.parametrize("name", SERVED)
def test_everything_acknowledged_is_served(copies: Copies, folder: Path, name: str) -> None:
    """Also what is stored after that, if the process is killed again."""
    damage, kept = SERVED[name]
    damage(folder, copies)

    store = open_at(folder)
    record(store, NAMES[1], EVENTS, EVENTS + 2)
    killed = copy_files(folder, folder.with_name("killed again"))
    store.close()

    assert ALL_EVENTS | {"api-30", "api-31"} == served(killed) == served(folder)
    assert kept == contents(folder).keys() - {DATABASE, LOG, RECORD}


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("log: first byte", 30),
        ("log: of another store", 30),
        ("database: removed", 0),
        ("database: older copy with its log", 30),
        ("database: backup", 60),
        ("record: of a later time", 60),
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


def test_a_shortened_log_is_kept_when_the_operator_continues_with_it(folder: Path) -> None:
    cut_in_half(folder / LOG)
    rejected = (folder / LOG).read_bytes()
    (folder / RECORD).unlink()

    assert EVENTS + 14 == len(served(folder))
    assert rejected == (folder / f"{LOG}.rejected-1").read_bytes()


def test_a_log_without_acknowledged_changes_is_kept_when_it_makes_no_sense(
    tmp_path: Path, copies: Copies
) -> None:
    """All that was acknowledged is in the database file."""
    folder = copy_files(copies.stopped, tmp_path / "data")
    (folder / LOG).write_bytes(bytes(5_000))

    store = open_at(folder)
    record(store, NAMES[1], EVENTS, EVENTS + 1)
    store.close()

    assert ALL_EVENTS | {"api-30"} == served(folder)
    assert bytes(5_000) == (folder / f"{LOG}.rejected-1").read_bytes()


def test_a_strange_log_of_a_store_of_an_earlier_version(folder: Path) -> None:
    """Without a record, only the log itself shows that something is missing."""
    (folder / RECORD).unlink()
    flip(folder / LOG, 0)

    assert (
        f"the store {DATABASE} has lost acknowledged changes: {LOG} does not begin like a log. "
        f"{_amount(EVENTS, '1 repository')}. {_PUT_BACK}. {_INSTEAD} `{LOG}` out of the folder"
    ) == _refused(folder)


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


@pytest.mark.parametrize("name", [DATABASE, LOG])
def test_flipped_bits_anywhere(tmp_path: Path, copies: Copies, name: str) -> None:
    """Nothing disappears silently, wherever a bit is wrong."""
    chance, size = Random(name), (copies.killed / name).stat().st_size
    for number in range(12):
        folder = copy_files(copies.killed, tmp_path / str(number))
        flip(folder / name, chance.randrange(size), 1 << chance.randrange(8))
        before = contents(folder)
        try:
            assert ALL_EVENTS == served(folder)
        except StoreUnreadable:
            assert before == contents(folder)
        except StoreDamaged:
            continue


def test_a_block_that_no_checkpoint_can_read(folder: Path) -> None:
    """The store says so, although everything that was asked for can be read."""
    flip(folder / DATABASE, -1)
    store = open_at(folder)
    try:
        record(store, NAMES[1], EVENTS, EVENTS + 1)
    finally:
        store.close()

    with pytest.raises(StoreDamaged):
        asyncio.run(store.ping())
