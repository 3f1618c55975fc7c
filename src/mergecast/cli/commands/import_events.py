"""`mergecast import events`: send files of events, one event a line."""

import gzip
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated

import typer

from mergecast.cli import progress
from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import DataDir, RepositoryName, Token, Url, check_repository, place
from mergecast.client.client import Client
from mergecast.client.errors import Refused
from mergecast.errors import MergecastError
from mergecast.settings import Settings

_EVENTS = 1000
_BYTES = 8 << 20


class InvalidFile(MergecastError):
    """A file holds something that is not an event, or contradicts what is stored."""


@dataclass(frozen=True, slots=True)
class _Delivery:
    """Some lines of a file, with their numbers for messages."""

    file: str
    numbers: list[int]
    lines: list[bytes]


def import_events(
    repository: RepositoryName,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="NDJSON, also .gz; - for standard input")
    ],
    data_dir: DataDir = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Send events, one a line. Run again, it imports only what is missing."""
    check_repository(repository)
    for file in files:
        if file != Path("-") and not file.is_file():
            raise WrongUsage(f"there is no file `{file}`")
    with connect(place(Settings(), data_dir, url, token), may_create=True) as client:
        stored, duplicates = _send_files(client, repository, files)
    print(f"{stored} events stored, {duplicates} were there already")


def _send_files(client: Client, repository: str, files: list[Path]) -> tuple[int, int]:
    stored = duplicates = 0
    with progress.of_bytes() as bars:
        for file in files:
            size = file.stat().st_size if file != Path("-") else None
            bar = bars.add_task(file.name, total=size)
            with _opened(file) as (stream, position):
                for delivery in _deliveries(str(file), _readable(str(file), stream)):
                    new, old = _send(client, repository, delivery)
                    stored, duplicates = stored + new, duplicates + old
                    bars.update(bar, completed=position())
    return stored, duplicates


@contextmanager
def _opened(file: Path) -> Iterator[tuple[IO[bytes], Callable[[], int]]]:
    """The lines of a file, unpacked, and how many bytes of the file itself were read."""
    if file == Path("-"):
        yield sys.stdin.buffer, lambda: 0
        return
    with file.open("rb") as raw:
        if file.suffix == ".gz":
            with gzip.open(raw) as unpacked:
                yield unpacked, raw.tell  # type: ignore[misc]
        else:
            yield raw, raw.tell


def _readable(file: str, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; a packed file may turn out to be damaged at any line."""
    try:
        yield from stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidFile(f"{file} is cut short, or is not gzip; what came before is stored") from error


def _deliveries(file: str, stream: Iterable[bytes]) -> Iterator[_Delivery]:
    numbers: list[int] = []
    lines: list[bytes] = []
    size = 0
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        if lines and (len(lines) == _EVENTS or size + len(line) > _BYTES):
            yield _Delivery(file, numbers, lines)
            numbers, lines, size = [], [], 0
        numbers.append(number)
        lines.append(line.rstrip(b"\r\n"))
        size += len(line)
    if lines:
        yield _Delivery(file, numbers, lines)


def _send(client: Client, repository: str, delivery: _Delivery) -> tuple[int, int]:
    try:
        return client.send(repository, delivery.lines)
    except Refused as refused:
        located = [_located(delivery, name, message) for name, message in refused.errors]
        if not located:
            raise
        if refused.more:
            located.append(f"and {refused.more} more")
        first = delivery.numbers[0]
        kept = f"lines before {first} are stored" if first > 1 else "nothing of this file is stored"
        raise InvalidFile("\n".join([*located, f"{kept}; mend it and run the command again"])) from refused


def _located(delivery: _Delivery, pointer: str, message: str) -> str:
    """An error with the line of the file that it is in."""
    _, _, rest = pointer.partition("/")
    place, _, field = rest.partition("/")
    if not place.isdigit():
        return f"{delivery.file}: {message}"
    said = f"{field}: {message}" if field else message
    return f"{delivery.file}:{delivery.numbers[int(place)]}: {said}"
