"""The answer of a statistic as rows, and rows as tables with a bar chart."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from msgspec import Struct, convert, inspect
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mergecast.cli.output import console, escape, fits, say_hidden
from mergecast.queues.model.instant import duration
from mergecast.queues.model.zone import Zone

_GROUP = ("part", "base_ref", "queue_name", "priority_rule_name")
_BLOCKS = " ▏▎▍▌▋▊▉█"
_BAR_CELLS = 16
_MOST_COLUMNS = 12
_FEWEST_COLUMNS = 2
_VARIANTS = ("p95_", "max_", "sum_")

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Layout:
    """How rows are printed: the column that the bar shows, and the time zone of their start."""

    measure: str | None
    zone: Zone


class _Queue(Struct):
    queue_name: object
    time_to_merge: Row


class _Queues(Struct):
    queues: list[_Queue]


def rows_of(answer: object) -> list[Row]:
    """One flat row for each entry of an answer, whatever its shape."""
    if isinstance(answer, list):
        queues = [queue for part in convert(answer, list[_Queues]) for queue in part.queues]
        return [{"queue_name": queue.queue_name, **queue.time_to_merge} for queue in queues]
    rows: list[Row] = []
    for name, items in convert(answer, Row).items():
        if not isinstance(items, list):
            continue  # `kept_since` is about the answer as a whole
        label: Row = {} if name == "groups" else {"part": name}
        for item in items:
            rows += _group_rows(label, item) if isinstance(item, dict) else [{name.removesuffix("s"): item}]
    return rows


def kept_since_of(answer: object) -> str | None:
    """Since when everything in an answer is kept, if that is limited; a list says so in each record."""
    record = answer[0] if isinstance(answer, list) and answer else answer
    return record.get("kept_since") if isinstance(record, dict) else None


def columns_of(answer_type: object) -> list[str]:
    """The columns of an answer of this statistic, in order; an empty answer has the same ones."""
    return list(
        dict.fromkeys(name for row in rows_of(_example(inspect.type_info(answer_type))) for name in row)
    )


def _example(type: inspect.Type) -> object:
    """An answer with one element in every list."""
    if isinstance(type, inspect.StructType):
        return {field.encode_name: _example(field.type) for field in type.fields}
    return [_example(type.item_type)] if isinstance(type, inspect.ListType) else 1


def _group_rows(label: Row, group: Row) -> list[Row]:
    names = {**label, **{name: group[name] for name in _GROUP if name in group}}
    stats = group["stats"]
    if isinstance(stats, dict):
        return [{**names, "outcome": name, "count": count} for name, count in stats.items() if count]
    return [{**names, **entry} for entry in convert(stats, list[Row])]


def print_tables(rows: list[Row], statistic: str, zone: Zone) -> None:
    """One table per group, with a bar for the statistic itself."""
    out = console()
    hidden: dict[str, None] = {}
    if any("start" in row or "outcome" in row for row in rows):
        for key, members in groupby(rows, key=lambda row: [row.get(name) for name in _GROUP]):
            title = " · ".join(escape(str(name)) for name in key if name is not None)
            out.print(Text(title, style="bold"))
            of_group = list(members)
            entries = [_without_group(row, statistic) for row in of_group]
            hidden |= dict.fromkeys(
                name for name in of_group[0] if name.startswith(_VARIANTS) and name not in entries[0]
            )
            hidden |= dict.fromkeys(_print_fitting(out, entries, Layout(_measure(entries, statistic), zone)))
    else:
        hidden |= dict.fromkeys(_print_fitting(out, rows, Layout(_measure(rows, statistic), zone)))
    if hidden:
        say_hidden(", ".join(hidden))


def _measure(rows: list[Row], statistic: str) -> str | None:
    """The column of the statistic itself where there is one, otherwise the first number."""
    if statistic in rows[0]:
        return statistic
    return next((name for name, value in rows[0].items() if isinstance(value, (int, float))), None)


def _without_group(row: Row, statistic: str) -> Row:
    """The values of an entry, the statistic itself first; with very many values, the main ones only."""
    values = {name: value for name, value in row.items() if name not in (*_GROUP, "end")}
    if statistic in values and "start" in values:
        values = {"start": values["start"], statistic: values[statistic], **values}
    if len(values) <= _MOST_COLUMNS:
        return values
    return {name: value for name, value in values.items() if not name.startswith(_VARIANTS)}


def _print_fitting(out: Console, rows: list[Row], layout: Layout) -> list[str]:
    """Print a table; in a narrow terminal without its bar, then with fewer columns. Returns their names."""
    names = list(rows[0])
    table = _table(rows, layout, with_bar=True)
    if fits(out, table):
        out.print(table)
        return []
    table = _table(rows, layout, with_bar=False)
    hidden: list[str] = []
    ending = _common_ending(names)
    while not fits(out, table) and len(names) > _FEWEST_COLUMNS:
        hidden.insert(0, names.pop().removesuffix(ending))
        table = _table([{name: row[name] for name in names} for row in rows], layout, with_bar=False)
    out.print(table)
    return hidden


def _common_ending(names: list[str]) -> str:
    """The ending that all names of values share, from an underscore on; tables leave it out.

    >>> _common_ending(["start", "avg_queue_time", "max_queue_time"])
    '_queue_time'
    """
    words = [name.split("_") for name in names if name != "start"]
    common = 0
    while all(len(parts) > common + 1 and parts[-1 - common :] == words[0][-1 - common :] for parts in words):
        common += 1
    return "".join(f"_{word}" for word in words[0][len(words[0]) - common :]) if len(words) > 1 else ""


def _table(rows: list[Row], layout: Layout, *, with_bar: bool) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    ending = _common_ending(list(rows[0]))
    for name, value in rows[0].items():
        justify = "left" if isinstance(value, str) else "right"
        table.add_column(name.removesuffix(ending), justify=justify, no_wrap=True)  # type: ignore[arg-type]
        if name == layout.measure and with_bar:
            table.add_column("", width=_BAR_CELLS)
    for cells in _lines(rows, layout, with_bar=with_bar):
        table.add_row(*cells)
    return table


def _lines(rows: list[Row], layout: Layout, *, with_bar: bool) -> Iterator[Iterable[Text]]:
    top = max((_amount(row.get(layout.measure or "")) for row in rows), default=0.0)
    for row in rows:
        cells = []
        for name, value in row.items():
            cells.append(Text(_shown(name, value, layout.zone)))
            if with_bar and name == layout.measure:
                cells.append(Text(bar(_amount(value) / top if top else 0), style="cyan"))
        yield cells


def _amount(value: object) -> float:
    return value if isinstance(value, (int, float)) else 0.0


def bar(share: float) -> str:
    """A bar of up to 16 cells, in eighths of a cell.

    >>> bar(0.5)
    '████████'
    """
    eighths = round(share * _BAR_CELLS * 8)
    return ("█" * (eighths // 8) + _BLOCKS[eighths % 8]).rstrip()


def _shown(name: str, value: object, zone: Zone) -> str:
    if value is None:
        return "-"
    if name == "start":
        return zone.shown_text(str(value))
    if isinstance(value, (int, float)) and _is_duration(name):
        return duration(value)
    return f"{value:.2f}" if isinstance(value, float) else escape(str(value))


def _is_duration(name: str) -> bool:
    is_time = any(part in name for part in ("_time", "runtime", "idle_")) or name in ("mean", "median")
    return is_time and not name.startswith("count_")
