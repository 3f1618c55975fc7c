"""What commands print: text that is safe in a terminal or a spreadsheet, JSON, tables, progress bars."""

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.measure import Measurement
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

    from mergecast.client.answers import Answer
    from mergecast.queues.answers.settings import ChangedSettings
    from mergecast.queues.model.zone import Zone

_Found = TypeVar("_Found")
_WIDTH_OF_A_PIPE = 200
_ENOUGH_WIDTH = 1000
_LAST_OF_TWO_DIGITS = 0xFF
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def escape(text: str) -> str:
    r"""The text on one line; control and bidirectional characters appear as their code.

    >>> escape("a\x1b[0m\u202eb")
    'a\\x1b[0m\\u202eb'
    """
    return text if text.isprintable() else "".join(map(escape_character, text))


def escape_lines(text: str) -> str:
    """The same for text of several lines."""
    return "\n".join(escape(line) for line in text.split("\n"))


def escape_character(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code <= _LAST_OF_TWO_DIGITS else f"\\u{code:04x}"


def say(*lines: str, file: TextIO | None = None, flush: bool = False) -> None:
    """Print lines for people, escaped: names of branches and queues may contain any character.

    In a terminal, they end between words; elsewhere, each stays one line.
    """
    told = [escape(line) for line in lines or ("",)]
    if (file or sys.stdout).isatty():
        width = shutil.get_terminal_size().columns
        told = [part for line in told for part in _wrapped(line, width)]
    print(*told, sep="\n", file=file, flush=flush)


def _wrapped(line: str, width: int) -> list[str]:
    """The parts of a line, each with its indentation; a word stays whole, because it may be an address."""
    indent = " " * (len(line) - len(line.lstrip()))
    found = textwrap.wrap(
        line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return found or [line]


def say_first(line: str) -> None:
    """What an answer comes down to, above everything else."""
    out = console()
    out.print(escape(line), style="bold", soft_wrap=not out.is_terminal)


def print_json(value: object) -> None:
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value)).decode())


def print_json_line(value: object, file: TextIO | None = None) -> None:
    import msgspec

    print(msgspec.json.encode(value).decode(), file=file, flush=True)


def print_done(*told: str, as_json: bool, **facts: object) -> None:
    """What a command that changes something has done: in words, or the facts as JSON."""
    if as_json:
        print_json(facts)
    else:
        say(*told)


def print_changes(
    changed: "Answer[ChangedSettings]", zone: "Zone | None" = None, *, as_json: bool, dry_run: bool = False
) -> None:
    """What a command has changed in settings, or would change, in words; the zone is for instants in it."""
    if as_json:
        print_json(changed.raw)
        return
    for sentence in changed.value.changes:
        change = sentence
        if zone is not None and (shown := zone.translated(sentence)) != sentence:
            change = f"{shown} (times in {zone.name})"
        say(f"dry run: {change}" if dry_run else change)
    if not changed.value.changes:
        say("nothing to change")


def print_found(
    found: "Answer[_Found] | None", empty: str, show: Callable[[_Found], None], *, as_json: bool
) -> None:
    """What a command that lists has found: as JSON, in words if there is nothing, otherwise as shown."""
    if as_json:
        print_json(None if found is None else found.raw)
    elif found is None or not found.value:
        say(empty)
    else:
        show(found.value)


def print_csv(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    import csv

    writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: csv_cell(value) for name, value in row.items()} for row in rows)


def csv_cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets a leading apostrophe.

    >>> csv_cell("=1+1"), csv_cell("main"), csv_cell(-1)
    ("'=1+1", 'main', -1)
    """
    if isinstance(value, str):
        return f"'{escape(value)}" if value.startswith(_FORMULA_STARTS) else escape(value)
    return value


def console(*, stderr: bool = False) -> "Console":
    from rich.console import Console

    made = Console(stderr=stderr, emoji=False, highlight=False, markup=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = _WIDTH_OF_A_PIPE
    return made


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A plain table; every cell is escaped, and has several lines in a narrow terminal if its words fit."""
    cells, out = list(rows), console()

    def has_room(shown: int) -> bool:
        return _measured(out, _table(columns[:shown], cells)).minimum <= out.width

    _print_columns(out, columns, cells, next(filter(has_room, range(len(columns), 1, -1)), 1))


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> "Table":
    """As many cells of each row as there are columns."""
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns, box=None, pad_edge=False, header_style="dim")
    for row in rows:
        table.add_row(*(Text(escape(cell)) for cell in row[: len(columns)]))
    return table


def fits(out: "Console", table: "Table") -> bool:
    return _measured(out, table).maximum <= out.width


def _measured(out: "Console", table: "Table") -> "Measurement":
    return out.measure(table, options=out.options.update(width=_ENOUGH_WIDTH))


def say_hidden(names: str) -> None:
    from rich.text import Text

    told, out = Text(f"not shown: {names} (use a wider terminal, --csv or --json)", style="dim"), console()
    out.print(told, soft_wrap=not out.is_terminal)


def print_fitting_table(columns: Sequence[str], rows: Iterable[Sequence[str]], least: int) -> None:
    """A table without the last columns, if the terminal is too narrow for them; `least` always stay."""
    cells, out = list(rows), console()
    shown = next((n for n in range(len(columns), least, -1) if fits(out, _table(columns[:n], cells))), least)
    _print_columns(out, columns, cells, shown)


def _print_columns(out: "Console", columns: Sequence[str], cells: list[Sequence[str]], shown: int) -> None:
    out.print(_table(columns[:shown], cells))
    if hidden := ", ".join(columns[shown:]):
        say_hidden(hidden)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """While a command waits for one long answer: a moving line on standard error, only in a terminal."""
    stderr = console(stderr=True)
    if not stderr.is_terminal:
        yield
        return
    with stderr.status(what):
        yield


def bytes_progress() -> "Progress":
    from rich.progress import DownloadColumn

    return _progress(DownloadColumn())


def steps_progress() -> "Progress":
    from rich.progress import MofNCompleteColumn

    return _progress(MofNCompleteColumn())


def last_step(steps: "Iterator[Answer[_Found]]", name: str, total: int | None = None) -> "Answer[_Found]":
    """The answer, which comes after a step for each part of the work."""
    from mergecast.client.answers import Step
    from mergecast.client.errors import UnknownAnswer

    answer = None
    with steps_progress() as progress:
        task = progress.add_task(name, total=total)
        for answer in steps:
            line = answer.part(Step).line
            if line is None:
                progress.advance(task)
            elif line.position:
                progress.update(task, description=f"{name}: number {line.position} in line")
            else:
                progress.update(task, description=name)
    if answer is None:
        raise UnknownAnswer("there is none")
    return answer


def share_progress() -> "Progress":
    """For work whose amount means nothing to a user: only the share that is done."""
    from rich.progress import TaskProgressColumn

    return _progress(TaskProgressColumn())


def _progress(amount: "ProgressColumn") -> "Progress":
    """A bar on standard error, only in a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    stderr = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), amount, TimeRemainingColumn())
    return Progress(*columns, console=stderr, transient=True, disable=not stderr.is_terminal)
