"""The folder of one store: who owns it, where its server listens, the operator's token."""

import fcntl
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

_LOCK = "server.lock"
_ADDRESS = "server.json"
_TOKEN = "admin-token"  # noqa: S105 - the name of a file
_TOKEN_BYTES = 32
BACKUP_PREFIX = ".unfinished-backup-"


@dataclass(frozen=True, slots=True)
class Address:
    """How to reach the server that owns a store."""

    url: str
    token: str


class DataFolder:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: int | None = None

    def take(self) -> bool:
        """Become the owner, until `release` or the end of the process; False when there is one."""
        os.umask(0o077)  # whatever is made from now on is for this user alone, the store first of all
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self._lock = lock
        self._clear()
        return True

    def _clear(self) -> None:
        """Take away what an owner that was killed has left: its address, a copy it was making."""
        (self.path / _ADDRESS).unlink(missing_ok=True)
        for unfinished in self.path.glob(f"{BACKUP_PREFIX}*"):
            shutil.rmtree(unfinished, ignore_errors=True)

    def release(self) -> None:
        if self._lock is not None:
            (self.path / _ADDRESS).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = None

    def publish(self, address: Address) -> None:
        """Tell commands on this machine where the server is."""
        _write_private(self.path / _ADDRESS, json.dumps({"url": address.url, "token": address.token}))

    def address(self) -> Address | None:
        """Where the owner's server listens, once it does."""
        try:
            return Address(**json.loads((self.path / _ADDRESS).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None

    def admin_token(self) -> tuple[str, bool]:
        """The token of this store, and whether it was made just now."""
        try:
            return (self.path / _TOKEN).read_text(encoding="ascii").strip(), False
        except FileNotFoundError:
            token = token_urlsafe(_TOKEN_BYTES)
            _write_private(self.path / _TOKEN, token + "\n")
            return token, True


def _write_private(path: Path, text: str) -> None:
    """Written whole under another name first, and readable by nobody else."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
