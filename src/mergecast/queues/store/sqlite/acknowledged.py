"""Remembers how many changes were acknowledged, in a small file beside the database.

SQLite drops a damaged or missing log without a word. A store that has fewer changes than this file says has
lost some. It is written after each commit, before anyone learns of it, and never synchronized: when the
power fails, it may be older than the store, which proves nothing. An open store keeps it locked, so that one
process has the store.
"""

import fcntl
import os
import zlib
from pathlib import Path
from typing import NamedTuple

import structlog

from mergecast.queues.store.errors import StoreInUse, StoreUnreadable

# Written in turn: an interrupted write leaves the other one.
_SLOTS, _SLOT_BYTES = 2, 128

log = structlog.get_logger("mergecast.store")


class Acknowledged(NamedTuple):
    """The store after the last acknowledged change."""

    commits: int
    merged: int  # how many of them are in the database file, whatever the log has
    at: int
    identity: str


def acknowledged_path(database: Path) -> Path:
    return database.with_name(f"{database.name}.acknowledged")


def read_acknowledged(database: Path) -> Acknowledged | None:
    """None if there is no such file, or nothing in it is valid."""
    try:
        content = acknowledged_path(database).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreUnreadable(f"{error.filename}: {error.strerror}") from error
    slots = (content[at : at + _SLOT_BYTES] for at in range(0, _SLOTS * _SLOT_BYTES, _SLOT_BYTES))
    return max(filter(None, map(_read_slot, slots)), default=None)


def _read_slot(slot: bytes) -> Acknowledged | None:
    checksum, _, text = slot.strip().partition(b" ")
    if checksum != _checksum(text):
        return None
    commits, merged, at, identity = text.decode().split(" ")
    return Acknowledged(int(commits), int(merged), int(at), identity)


def _checksum(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


class AcknowledgedFile:
    """The locked file of an open store."""

    def __init__(self, database: Path) -> None:
        self._path = acknowledged_path(database)
        self._is_new = not self._path.exists()
        self._is_failing = False
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreUnreadable(f"{self._path} cannot be written: {error.strerror}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise StoreInUse(f"the store {database} is in use by another process") from None

    def note(self, record: Acknowledged) -> None:
        """Log errors and go on: with an older record, only a loss since then goes unnoticed."""
        text = " ".join(map(str, record)).encode()
        slot = (_checksum(text) + b" " + text).ljust(_SLOT_BYTES - 1) + b"\n"
        try:
            os.pwrite(self._file, slot, record.commits % _SLOTS * _SLOT_BYTES)
            self._is_failing = False
        except OSError as error:
            if not self._is_failing:
                log.warning("cannot record what is acknowledged", file=str(self._path), error=error.strerror)
            self._is_failing = True

    def give_up(self) -> None:
        """Close it as it was found: the store could not be opened."""
        if self._is_new:
            self._path.unlink()
        self.close()

    def close(self) -> None:
        os.close(self._file)
