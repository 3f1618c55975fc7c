"""Remembers how far changes were acknowledged, in a small file beside the database.

A database file or log that is older than this has lost something. The file is written after each commit,
before anyone learns of it, and synchronized only after checkpoints: when the power fails, it may be older
than the store, which proves nothing, but never newer.
"""

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog

from mergecast.queues.store.duckdb.files import DatabaseFile, read_database_file, read_log

# Written in turn: an interrupted write leaves the other one. A disk writes 512 bytes whole.
_SLOTS, _SLOT_BYTES = 2, 512

log = structlog.get_logger("mergecast.store")


class Held(NamedTuple):
    """How much the store holds."""

    repositories: int
    events: int


class Acknowledged(msgspec.Struct, frozen=True):
    """The state of the store after the last acknowledged change."""

    number: int  # of the record
    at: int
    merged_at: int  # when the log was last merged into the file
    identity: str
    checkpoints: int
    log_bytes: int
    repositories: int
    events: int

    @property
    def position(self) -> tuple[int, int]:
        """Grows with every commit."""
        return self.checkpoints, self.log_bytes


def log_path(database: Path) -> Path:
    return database.with_name(f"{database.name}.wal")


def acknowledged_path(database: Path) -> Path:
    return database.with_name(f"{database.name}.acknowledged")


def read_acknowledged(path: Path) -> Acknowledged | None:
    """None if there is no such file, or nothing in it is valid."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    slots = (content[at : at + _SLOT_BYTES] for at in range(0, _SLOTS * _SLOT_BYTES, _SLOT_BYTES))
    valid = [record for slot in slots if (record := _read_slot(slot)) is not None]
    return max(valid, key=lambda record: record.number, default=None)


def _read_slot(slot: bytes) -> Acknowledged | None:
    checksum, _, text = slot.strip().partition(b" ")
    if checksum != _checksum(text):
        return None
    try:
        return msgspec.json.decode(text, type=Acknowledged)
    except msgspec.DecodeError:
        return None


def _checksum(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


def free_name(path: Path) -> Path:
    """A name for a file that cannot be used, under which nothing overwrites it."""
    number = 1
    while (free := path.with_name(f"{path.name}.rejected-{number}")).exists():
        number += 1
    return free


class AcknowledgedFile:
    """Keeps the file up to date. It belongs to the writer of an open store."""

    def __init__(self, database: Path, now: Callable[[], int]) -> None:
        self._database, self._log = database, log_path(database)
        self._path = acknowledged_path(database)
        self._now = now
        self._file: int | None = None
        self._is_failing = False
        self._last: Acknowledged | None = None
        self._current = DatabaseFile("", 0)

    def begin(self, held: Held) -> None:
        """After the store was opened. A store of an earlier version has no such file."""
        with self._warning_of_errors():
            self._read_current()
            self._last = read_acknowledged(self._path)
            if self._last is None:
                self._keep_damaged()
                known = read_log(self._log)
                self._write(held, 0 if known is None else known.readable, merged_at=self._now())

    def _keep_damaged(self) -> None:
        if self._path.exists() and self._path.stat().st_size:
            aside = self._path.rename(free_name(self._path))
            log.warning("the record of acknowledged changes is damaged", renamed_to=str(aside))

    def note_commit(self, held: Held) -> None:
        """To be called after a commit, before it is acknowledged."""
        with self._warning_of_errors():
            # There is no log if nothing was changed since the last checkpoint.
            length = self._log.stat().st_size if self._log.exists() else 0
            if self._last is None or (self._current.checkpoints, length) != self._last.position:
                self._write(held, length, None if self._last is None else self._last.merged_at)

    def note_checkpoint(self, held: Held) -> None:
        """To be called after the log was merged into the file."""
        with self._warning_of_errors():
            self._read_current()
            os.fdatasync(self._write(held, 0, merged_at=self._now()))

    def _read_current(self) -> None:
        self._current = read_database_file(self._database) or self._current

    def _write(self, held: Held, length: int, merged_at: int | None) -> int:
        """Returns the open file."""
        number, at = (0 if self._last is None else self._last.number) + 1, self._now()
        record = Acknowledged(number, at, merged_at or at, *self._current, length, *held)
        text = msgspec.json.encode(record)
        slot = (_checksum(text) + b" " + text).ljust(_SLOT_BYTES - 1) + b"\n"
        if self._file is None:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.pwrite(self._file, slot, number % _SLOTS * _SLOT_BYTES)
        self._last, self._is_failing = record, False
        return self._file

    @contextmanager
    def _warning_of_errors(self) -> Iterator[None]:
        """Log errors and go on: with an older record, only a loss since then goes unnoticed."""
        try:
            yield
        except OSError as error:
            if not self._is_failing:
                log.warning("cannot record what is acknowledged", file=str(self._path), error=error.strerror)
            self._is_failing = True

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
