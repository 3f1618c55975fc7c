"""An answer as rows, and rows as tables with a bar for the first number."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

_GROUP = ("part", "base_ref", "queue_name", "priority_rule_name")
_BLOCKS = " ▏▎▍▌▋▊▉█"
_BAR_CELLS = 16
_MOST_COLUMNS = 12
_FEWEST_COLUMNS = 2
_VARIANTS = ("p95_", "max_", "sum_")
_WIDTH_OF_A_PIPE = 200
_MINUTE, _HOUR, _DAY = 60, 3600, 86400

Row = dict[str, Any]


def rows_of(answer: Any) -> list[Row]:
    """One flat row for each entry of an answer, whatever its shape."""
    if isinstance(answer, list):
        return [_merge_row(queue) for part in answer for queue in part["queues"]]
    rows: list[Row] = []
    for name, items in answer.items():
        label = {} if name == "groups" else {"part": name}
        for item in items:
            rows += _group_rows(label, item) if isinstance(item, dict) else [{name.removesuffix("s"): item}]
    return rows


def _merge_row(queue: Row) -> Row:
    return {"queue_name": queue["queue_name"], **queue["time_to_merge"]}


def _group_rows(label: Row, group: Row) -> list[Row]:
    names = {**label, **{name: group[name] for name in _GROUP if name in group}}
    stats = group["stats"]
    if isinstance(stats, dict):
        return [{**names, "outcome": name, "count": count} for name, count in stats.items() if count]
    return [{**names, **entry} for entry in stats]


def print_tables(rows: list[Row]) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH_OF_A_PIPE
    if any("start" in row or "outcome" in row for row in rows):
        for key, members in groupby(rows, key=lambda row: [row.get(name) for name in _GROUP]):
            console.print(Text(" · ".join(str(name) for name in key if name is not None), style="bold"))
            _print_fitting(console, [_without_group(row) for row in members])
    else:
        _print_fitting(console, rows)


def _print_fitting(console: Console, rows: list[Row]) -> None:
    """Print a table; in a narrow terminal without its bar, then with fewer columns."""
    table = _table(rows, with_bar=True)
    names = list(rows[0])
    if _width(console, table) > console.width:
        table = _table(rows, with_bar=False)
    while _width(console, table) > console.width and len(names) > _FEWEST_COLUMNS:
        names.pop()
        table = _table([{name: row[name] for name in names} for row in rows], with_bar=False)
    console.print(table)


def _width(console: Console, table: Table) -> int:
    return console.measure(table, options=console.options.update(width=_WIDTH_OF_A_PIPE)).maximum


def _without_group(row: Row) -> Row:
    """The values of an entry; of very many, only those that are no variants of another."""
    values = {name: value for name, value in row.items() if name not in (*_GROUP, "end")}
    if len(values) <= _MOST_COLUMNS:
        return values
    return {name: value for name, value in values.items() if not name.startswith(_VARIANTS)}


def _common_ending(names: list[str]) -> str:
    """What all names of values end in, from an underscore on: it says nothing in a table.

    >>> _common_ending(["start", "avg_queue_time", "max_queue_time"])
    '_queue_time'
    """
    words = [name.split("_") for name in names if name != "start"]
    common = 0
    while all(len(parts) > common + 1 and parts[-1 - common :] == words[0][-1 - common :] for parts in words):
        common += 1
    return "".join(f"_{word}" for word in words[0][len(words[0]) - common :]) if len(words) > 1 else ""


def _table(rows: list[Row], *, with_bar: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    measure = next((name for name, value in rows[0].items() if isinstance(value, (int, float))), None)
    ending = _common_ending(list(rows[0]))
    for name, value in rows[0].items():
        table.add_column(
            name.removesuffix(ending), justify="left" if isinstance(value, str) else "right", no_wrap=True
        )
        if name == measure and with_bar:
            table.add_column("", width=_BAR_CELLS)
    top = max((row[measure] or 0 for row in rows), default=0) if measure else 0
    for row in rows:
        table.add_row(*_cells(row, measure if with_bar else None, top))
    return table


def _cells(row: Row, measure: str | None, top: float) -> Iterable[Text]:
    for name, value in row.items():
        yield Text(_shown(name, value))
        if name == measure:
            yield Text(bar((value or 0) / top if top else 0), style="cyan")


def bar(share: float) -> str:
    """A bar of up to 16 cells, in eighths of a cell.

    >>> bar(0.5)
    '████████'
    """
    eighths = round(share * _BAR_CELLS * 8)
    return ("█" * (eighths // 8) + _BLOCKS[eighths % 8]).rstrip()


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name == "start":
        return str(value).replace("T", " ").removesuffix(":00Z")
    if isinstance(value, (int, float)) and _is_duration(name):
        return duration(value)
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _is_duration(name: str) -> bool:
    is_time = any(part in name for part in ("_time", "runtime", "idle_")) or name in ("mean", "median")
    return is_time and not name.startswith("count_")


def duration(seconds: float) -> str:
    """Seconds as a person says them, two units at most.

    >>> [duration(5.25), duration(3720), duration(200000)]
    ['5.2s', '1h02m', '2d07h']
    """
    if seconds < _MINUTE:
        return f"{seconds:.1f}s"
    if seconds < _HOUR:
        return f"{int(seconds) // _MINUTE}m{int(seconds) % _MINUTE:02}s"
    if seconds < _DAY:
        return f"{int(seconds) // _HOUR}h{int(seconds) % _HOUR // _MINUTE:02}m"
    return f"{int(seconds) // _DAY}d{int(seconds) % _DAY // _HOUR:02}h"
