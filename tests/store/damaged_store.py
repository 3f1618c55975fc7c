"""Copies of the files of a store, as kills at several moments would leave them, and ways to damage them."""

import asyncio
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.sqlite.store import SQLiteStore

NAMES = Repository("acme", "web"), Repository("acme", "api")
MERGED_AT, LAST_AT = parse_instant("2026-03-01T09:00:00Z"), parse_instant("2026-03-01T10:30:00Z")
DATABASE, LOG, RECORD = FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}.acknowledged"
EVENTS = 30  # of the first repository, in the database file; as many of the second are in the log
ALL_EVENTS = {f"{name.name}-{number}" for name in NAMES for number in range(EVENTS)}


@dataclass(frozen=True)
class Copies:
    killed: Path  # one half of the events in the file, the other in the log
    earlier: Path  # with a shorter log
    unmerged: Path  # before the log was merged into the file
    stopped: Path  # stopped cleanly: everything is in the file
    other: Path  # another store
    backup: Path  # a folder with a backup


Damage = Callable[[Path, Copies], object]


def open_at(folder: Path, at: int = LAST_AT) -> SQLiteStore:
    return SQLiteStore(folder / FILE_NAME, now=lambda: at)


def record(store: SQLiteStore, name: Repository, first: int, last: int) -> None:
    for number in range(first, last):
        id = f"{name.name}-{number}"
        entered = Event(id, "queue_entered", number, "main", "default", None, "api", id, number)
        asyncio.run(store.record(name, [entered]))


def copy_files(source: Path, target: Path) -> Path:
    target.mkdir()
    for file in source.iterdir():
        shutil.copyfile(file, target / file.name)
    return target


def make_copies(root: Path) -> Copies:
    live, other, backup = root / "live", root / "other-live", root / "backup"
    store = open_at(live, MERGED_AT)
    record(store, NAMES[0], 0, EVENTS)
    unmerged = copy_files(live, root / "unmerged")
    store.close()
    store = open_at(live)
    record(store, NAMES[1], 0, EVENTS // 2)
    earlier = copy_files(live, root / "earlier")
    record(store, NAMES[1], EVENTS // 2, EVENTS)
    killed = copy_files(live, root / "killed")
    backup.mkdir()
    asyncio.run(store.back_up(backup / DATABASE))
    store.close()
    stranger = open_at(other)
    record(stranger, NAMES[0], 0, 3)
    strange = copy_files(other, root / "other")
    stranger.close()
    return Copies(killed, earlier, unmerged, live, strange, backup)


async def _read_ids(store: SQLiteStore) -> set[str]:
    known = await store.repositories()
    return {event.id for one in known async for page in store.export(one) for event in page}


def served(folder: Path) -> set[str]:
    """The ids of the events of a store, which is opened and stopped."""
    store = open_at(folder)
    try:
        return asyncio.run(_read_ids(store))
    finally:
        store.close()


def contents(folder: Path) -> dict[str, bytes | None]:
    return {file.name: None if file.is_dir() else file.read_bytes() for file in folder.iterdir()}


def in_file(name: str, damage: Callable[..., object], *details: object) -> Damage:
    return lambda folder, _: damage(folder / name, *details)


def without(*names: str) -> Damage:
    def remove(folder: Path, _: Copies) -> None:
        for name in names:
            (folder / name).unlink()

    return remove


def with_files(*names: str, of: str) -> Damage:
    def put(folder: Path, copies: Copies) -> None:
        for name in names:
            shutil.copyfile(getattr(copies, of) / name, folder / name)

    return put


def both(first: Damage, second: Damage) -> Damage:
    return lambda folder, copies: (first(folder, copies), second(folder, copies))


def exchange(folder: Path, _: Copies) -> None:
    """Give the database the name of the log, and the other way round."""
    (folder / DATABASE).rename(folder / "third")
    (folder / LOG).rename(folder / DATABASE)
    (folder / "third").rename(folder / LOG)


def merge_first_page(folder: Path, copies: Copies) -> None:
    """What a kill or a full disk leaves of merging a log: the first page names pages that the file lacks."""
    overwrite(folder / DATABASE, 0, (copies.stopped / DATABASE).read_bytes()[:4096])


def overwrite(file: Path, at: int, content: bytes) -> None:
    """At a place of the file; negative ones count from its end."""
    with file.open("r+b") as stream:
        stream.seek(at % file.stat().st_size)
        stream.write(content)


def flip(file: Path, at: int, bits: int = 0x10) -> None:
    overwrite(file, at, bytes([file.read_bytes()[at] ^ bits]))


def flip_middle(file: Path) -> None:
    flip(file, file.stat().st_size // 2)


def cut(file: Path, length: int) -> None:
    """Negative lengths say how much is missing."""
    os.truncate(file, length if length >= 0 else file.stat().st_size + length)


def cut_in_half(file: Path) -> None:
    cut(file, file.stat().st_size // 2)


def append(file: Path, content: bytes) -> None:
    file.write_bytes(file.read_bytes() + content)


def double(file: Path) -> None:
    append(file, file.read_bytes())


def replace_by_folder(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.mkdir()
