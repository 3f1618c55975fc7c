"""`mergecast import events`: send files of events; `mergecast store export`: write all events, or a table."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from mergecast.cli.connection import connect
from mergecast.cli.errors import InvalidFile, WrongUsage
from mergecast.cli.options import AsJson, RepositoryName, Server, draft_of, read_output
from mergecast.cli.output import bytes_progress, print_done, print_json, say
from mergecast.queues.export.formats import FORMATS
from mergecast.queues.export.tables import TABLES
from mergecast.queues.model.words import counted
from mergecast.queues.model.zone import Zone, kept_since_text

if TYPE_CHECKING:
    from mergecast.client.answers import Receipt
    from mergecast.client.client import Client


_EVENTS = 1000
_BYTES = 8 << 20
_STDIN = Path("-")


@dataclass(frozen=True, slots=True)
class _Delivery:
    """Some lines of a file, with their numbers for messages."""

    file: str
    numbers: list[int]
    lines: list[bytes]


def import_events(
    repository: RepositoryName,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="NDJSON, .gz if compressed; - for standard input"),
    ],
    *,
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I import events from files?

    A file has one event per line. Importing a file again adds only missing events.

    Example: mergecast import events acme/widgets events.ndjson
    """
    for file in files:
        if file != _STDIN and not file.is_file():
            raise WrongUsage(f"there is no file `{file}`")
    with connect(*server, may_create=True) as client:
        stored, duplicates, expired = _send_files(client, repository, files)
    too_old = f", {expired:,} deleted earlier because of their age" if expired else ""
    told = f"{counted(stored, 'event')} stored, {duplicates:,} already known{too_old}"
    print_done(told, as_json=as_json, stored=stored, duplicates=duplicates, expired=expired)


def _send_files(client: "Client", repository: str, files: list[Path]) -> tuple[int, int, int]:
    stored = duplicates = expired = 0
    with bytes_progress() as bars:
        for file in files:
            size = file.stat().st_size if file != _STDIN else None
            bar = bars.add_task(file.name, total=size)
            with _opened(file) as (stream, position):
                for place, delivery in enumerate(_deliveries(str(file), _readable(str(file), stream))):
                    if place == 0:
                        _check_kind(delivery)
                    receipt = _send(client, repository, delivery)
                    stored, duplicates = stored + receipt.stored, duplicates + receipt.duplicates
                    expired += receipt.expired
                    bars.update(bar, completed=position())
    return stored, duplicates, expired


@contextmanager
def _opened(file: Path) -> Iterator[tuple[IO[bytes], Callable[[], int]]]:
    """The uncompressed lines of a file, and a function that says how many of its bytes were read."""
    if file == _STDIN:
        yield sys.stdin.buffer, lambda: 0
        return
    with file.open("rb") as raw:
        if file.suffix == ".gz":
            import gzip

            with gzip.open(raw) as uncompressed:
                yield uncompressed, raw.tell  # type: ignore[misc]
        else:
            yield raw, raw.tell


def _readable(file: str, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; a compressed file can turn out to be damaged at any line."""
    import gzip
    import zlib

    is_read = False
    try:
        for line in stream:
            is_read = True
            yield line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        kept = "the lines before the damage are stored" if is_read else "nothing from it is stored"
        is_other = not is_read and isinstance(error, gzip.BadGzipFile)
        wrong = "is not a gzip file" if is_other else "is truncated or damaged"
        raise InvalidFile(f"{file} {wrong}; {kept}") from error


def _deliveries(file: str, stream: Iterable[bytes]) -> Iterator[_Delivery]:
    """The lines in as few deliveries as possible; those before damage are delivered, too."""
    numbers: list[int] = []
    lines: list[bytes] = []
    size = 0
    damage = None
    try:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            if lines and (len(lines) == _EVENTS or size + len(line) > _BYTES):
                yield _Delivery(file, numbers, lines)
                numbers, lines, size = [], [], 0
            numbers.append(number)
            lines.append(line.rstrip(b"\r\n"))
            size += len(line)
    except InvalidFile as error:
        damage = error
    if lines:
        yield _Delivery(file, numbers, lines)
    if damage is not None:
        raise damage


def _check_kind(delivery: _Delivery) -> None:
    """Refuse a file of another kind, in which every line would be an error."""
    lines = delivery.lines
    if len(lines) > 1 and not any(line.lstrip().startswith(b"{") and b'"type"' in line for line in lines):
        raise InvalidFile(
            f"{delivery.file} is not a file of events: none of its first {len(lines):,} lines is a JSON "
            "object with the field `type`; write one event per line. Nothing from it is stored"
        )


def _send(client: "Client", repository: str, delivery: _Delivery) -> "Receipt":
    from mergecast.client.errors import ErrorResponse

    try:
        return client.send(repository, delivery.lines)
    except ErrorResponse as response:
        located = [_located(delivery, name, message) for name, message in response.errors]
        if not located:
            raise
        if response.more:
            located.append(f"and {response.more} more")
        first = delivery.numbers[0]
        kept = f"lines before {first} are stored" if first > 1 else "nothing from this file is stored"
        advice = f"{kept}; fix these lines and run the command again"
        raise InvalidFile("\n".join([*located, advice])) from response


def _located(delivery: _Delivery, pointer: str, message: str) -> str:
    """An error with the line of the file that it is in."""
    _, _, rest = pointer.partition("/")
    place, _, field = rest.partition("/")
    if not place.isdigit():
        return f"{delivery.file}: {message}"
    located = f"{field}: {message}" if field else message
    return f"{delivery.file}:{delivery.numbers[int(place)]}: {located}"


_FORMATS, _TABLES = " or ".join(FORMATS), f"{', '.join(list(TABLES)[:-1])} or {list(TABLES)[-1]}"


def export(
    repository: RepositoryName,
    *,
    format: Annotated[
        str | None, typer.Option(metavar="FORMAT", help=f"Write a table: {_FORMATS}; needs --table")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="TABLE", help=f"Which table: {_TABLES}; needs --format")
    ] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="File to write; - for standard output"),
    ] = "-",
    as_json: AsJson = False,
    server: Server,
) -> None:
    """How do I get the data out, as events or as a table?

    Writes all events of a repository as NDJSON, in the order in which they were stored. With --format and
    --table, writes a table for spreadsheets and notebooks instead.

    Example: mergecast store export demo/harbor -o events.ndjson
    """
    file = read_output(output)
    _check(format, table, file)
    with connect(*server) as client:
        if format is None or table is None:
            parts, what = client.events(repository, _tell), "events"
        else:
            parts, what = client.table(repository, table, format, _tell), table
        if file is None:
            for part in parts:
                sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
            return
        draft = draft_of(file)
        try:
            with draft.open("wb") as target:
                for part in parts:
                    target.write(part)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    if as_json:
        print_json({"repository": repository, "table": what, "file": output})
    else:
        say(f"wrote the {what} of {repository} to {output}", file=sys.stderr)


def _tell(kept_since: str) -> None:
    """Beside the file, which holds only what is kept."""
    say(kept_since_text(kept_since, Zone(UTC, "UTC")), file=sys.stderr)


def _check(format: str | None, table: str | None, file: Path | None) -> None:
    if format is not None and format not in FORMATS:
        raise WrongUsage(f"--format: `{format}` is not a format; write {_FORMATS}")
    if table is not None and table not in TABLES:
        raise WrongUsage(f"--table: there is no table `{table}`; write {_TABLES}")
    if format is not None and table is None:
        raise WrongUsage(f"--format needs a table: add --table with {_TABLES}")
    if table is not None and format is None:
        raise WrongUsage(f"--table needs a format: add --format with {_FORMATS}")
    if format == "parquet" and file is None and sys.stdout.isatty():
        raise WrongUsage("a Parquet file is not text: name a file with --output")
