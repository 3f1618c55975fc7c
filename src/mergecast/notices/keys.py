"""The keys that targets are encrypted with: from the setting, or from a file of the data folder."""

from collections.abc import Callable, Sequence
from pathlib import Path
from secrets import token_urlsafe

from mergecast.notices.sealing import Seal
from mergecast.process.data_folder import read_or_make_secret

FILE = "secret-key"
SHORTEST = 32


def parse_keys(text: str) -> tuple[str, ...]:
    """The keys of MERGECAST_SECRET_KEY, the newest first."""
    keys = tuple(filter(None, map(str.strip, text.split(","))))
    if any(len(key) < SHORTEST for key in keys):
        raise ValueError(f"each key must have at least {SHORTEST} characters")
    return keys


class Keys:
    """Without the setting, a store in the data folder gets a key file when the first channel is created."""

    def __init__(self, keys: Sequence[str], folder: Path | None) -> None:
        self._keys, self._folder = keys, folder
        self._seal: Seal | None = Seal(keys) if keys else None

    @property
    def can_encrypt(self) -> bool:
        return bool(self._keys) or self._folder is not None

    def seal(self) -> Seal | None:
        """For decrypting; None if there is no key."""
        if self._seal is None and self._folder is not None and (self._folder / FILE).exists():
            self._seal = self._read(self._folder)
        return self._seal

    def make_seal(self) -> Seal:
        """For encrypting; creates the key file if there is none."""
        seal = self.seal()
        if seal is None:
            if self._folder is None:
                raise ValueError("there is no key")
            seal = self._seal = self._read(self._folder)
        return seal

    def _read(self, folder: Path, make: Callable[[], str] = token_urlsafe) -> Seal:
        return Seal([read_or_make_secret(folder / FILE, make)])
