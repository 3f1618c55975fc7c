"""The data folder: its lock, the address of its server, and the admin token."""

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

from mergecast.errors import MergecastError

_LOCK = "server.lock"
_ADDRESS = "server.json"
_TOKEN = "admin-token"  # noqa: S105 - the name of a file
_TOKEN_BYTES = 32
_LAST_BACKUP = "last-backup"
BACKUP_PREFIX = ".unfinished-backup-"


@dataclass(frozen=True, slots=True)
class Address:
    """How to reach the server that owns the folder."""

    url: str
    token: str


class UnreadableFile(MergecastError):
    """A file of the data folder is damaged or not readable for this user."""


class UnusableFolder(MergecastError):
    """The process cannot create the data folder, or cannot write to it."""


class DataFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def take(self) -> bool:
        """Lock the folder until `release` or the end of the process; False if it is locked already."""
        os.umask(0o077)  # everything created from now on, above all the store, is readable by this user only
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise UnusableFolder(
                f"the data folder `{self.path}` cannot be used: {_hindrance(self.path, error)}, "
                "or name another folder with --data-dir or MERGECAST_DATA_DIR"
            ) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self._lock = lock
        self._clear()
        return True

    def is_taken(self) -> bool:
        """Whether a process owns the folder. This creates nothing, and keeps no lock."""
        try:
            lock = os.open(self.path / _LOCK, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(lock)
        return False

    def _clear(self) -> None:
        """Delete what a killed server left behind: its address, an unfinished backup."""
        self._remove_address()
        for unfinished in self.path.glob(f"{BACKUP_PREFIX}*"):
            shutil.rmtree(unfinished, ignore_errors=True)

    def release(self) -> None:
        if self._lock is not None:
            self._remove_address()
            os.close(self._lock)
            self._lock = None

    def _remove_address(self) -> None:
        """Ignore errors: a file that cannot be removed cannot be replaced either, and `publish` says why."""
        with suppress(OSError):
            (self.path / _ADDRESS).unlink(missing_ok=True)

    def publish(self, address: Address) -> None:
        """Write the server's address for commands on this machine."""
        _write_private(self.path / _ADDRESS, json.dumps({"url": address.url, "token": address.token}))

    def address(self) -> Address | None:
        """The address of the folder's server; None until it is published."""
        file = self.path / _ADDRESS
        try:
            return Address(**json.loads(file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError) as error:
            raise UnreadableFile(
                f"{file} cannot be read: {_reason(error)}; restart the server, which writes it again, "
                "or name the server with --url and --token"
            ) from None

    def admin_token(self) -> tuple[str, bool]:
        """The admin token, and whether it was just created."""
        file = self.path / _TOKEN
        try:
            return file.read_text(encoding="ascii").strip(), False
        except (PermissionError, IsADirectoryError, ValueError) as error:
            raise UnreadableFile(
                f"{file} cannot be read: {_reason(error)}; make it readable, or delete it to get a new token"
            ) from None
        except FileNotFoundError:
            token = token_urlsafe(_TOKEN_BYTES)
            _write_private(self.path / _TOKEN, token + "\n")
            return token, True


def note_backup(folder: Path, at: int) -> None:
    """Remember that a backup was made at this time, in microseconds."""
    _write_private(folder / _LAST_BACKUP, f"{at}\n")


def last_backup(folder: Path) -> int | None:
    """When the last backup was made; None if there was none, or if that is not known any more."""
    try:
        return int((folder / _LAST_BACKUP).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def read_or_make_secret(file: Path, make: Callable[[], str]) -> str:
    """The content of a file that only this user can read; it is created if it does not exist."""
    try:
        return file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        secret = make()
        _write_private(file, secret + "\n")
        return secret
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{file} cannot be read: {_reason(error)}; make it readable") from None


def _hindrance(folder: Path, error: OSError) -> str:
    """Why a folder cannot be written to, and what to do."""
    match error.errno:
        case errno.EROFS:
            return "its file system is read-only; mount a writable volume there"
        case errno.EACCES | errno.EPERM:
            user = os.geteuid()
            return f"user id {user} may not write to it; give it to that user with `chown -R {user} {folder}`"
        case errno.EEXIST | errno.ENOTDIR:
            return f"{error.filename} is not a folder; remove it"
    return error.strerror or str(error)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return "its content is not valid"


def _write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read: first under another name, then renamed."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
