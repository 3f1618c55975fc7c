"""Recorded pull requests in files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from mergecast.cli.errors import WrongUsage

_OPEN = "open"
_LARGEST_FILE = 8 << 20


@dataclass(frozen=True, slots=True)
class RecordedFiles:
    """The records of a simulation, by number."""

    records: tuple[tuple[int, bytes], ...]
    not_looked_at: int = 0

    async def pull_request(self, number: int) -> bytes | None:
        return dict(self.records).get(number)

    async def open_pull_requests(self) -> "RecordedFiles":
        return self


class _Pull(msgspec.Struct, frozen=True):
    number: int
    state: str = _OPEN


class _Recorded(msgspec.Struct, frozen=True):
    pull: _Pull


def read_record(file: Path, number: int) -> RecordedFiles:
    """The record of a pull request. The simulation reports every error in it but a wrong number."""
    record = _read_json(file)
    pull = _decode(record)
    if pull is not None and pull.number != number:
        raise WrongUsage(f"{file} is a record of pull request #{pull.number}, not of #{number}")
    return RecordedFiles(((number, record),))


def read_open_records(files: Sequence[Path]) -> RecordedFiles:
    """The recorded pull requests that are open."""
    found = []
    for file in files:
        record = _read_json(file)
        pull = _decode(record)
        if pull is None:
            raise WrongUsage(f"{file} is not a recorded pull request: pull.number is missing")
        if pull.state == _OPEN:
            found.append((pull.number, record))
    return RecordedFiles(tuple(found))


def _read_json(file: Path) -> bytes:
    with file.open("rb") as opened:
        content = opened.read(_LARGEST_FILE + 1)
    if len(content) > _LARGEST_FILE:
        raise WrongUsage(f"{file} is larger than {_LARGEST_FILE >> 20} MiB, the limit for a snapshot")
    try:
        msgspec.json.decode(content, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WrongUsage(f"{file} is not valid JSON: {error}") from None
    return content


def _decode(record: bytes) -> _Pull | None:
    try:
        return msgspec.json.decode(record, type=_Recorded).pull
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
