"""A report as an outline of blocks, before anything decides how headings, boxes and quotes look."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from mergecast.conditions.result import Truth
from mergecast.rules.sentence import Login, Name, Passage


@dataclass(frozen=True, slots=True)
class Prose:
    """Text of users, or ours with words of users in it; what stands between backticks is code."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Prose that stands out."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Something of the language or a value, shown as it is."""

    text: str


Inline = str | Name | Login | Passage | Prose | Strong | Code
Line = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 3 begins a section or a rule, level 4 lies inside of one."""

    level: int
    line: Line
    is_struck: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One line of prose."""

    line: Line


@dataclass(frozen=True, slots=True)
class Bullet:
    """One item of a list; items that follow each other are one list."""

    line: Line


@dataclass(frozen=True, slots=True)
class Quote:
    """A banner."""

    line: Line


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One line of a checklist; without truth it has no box."""

    depth: int
    truth: Truth | None
    line: Line


@dataclass(frozen=True, slots=True)
class Checklist:
    """Conditions, each with its box."""

    items: tuple[ChecklistItem, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a header; tables that follow each other are one table."""

    header: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """Blocks of less interest, closed at first."""

    label: str
    blocks: tuple["Block", ...]


Block = Heading | Paragraph | Bullet | Quote | Checklist | Table | Folded


class Cut(Enum):
    """What is given up when a report is too long, in this order, and what one unit of it is called."""

    SECTION = "section"  # only as a whole
    OVERVIEW = "overview line"
    RULE = "rule"
    ROW = "pull request"
    DIFFERENCE = "difference"
    ACTION = "planned action"
    DEPRECATION = "deprecation"
    NOTE = "note"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A part of a report; each unit can be left out without harm to the others."""

    cut: Cut
    units: tuple[tuple[Block, ...], ...]
    title: str | None = None
    folded: str | None = None  # the label, when all of the part is closed at first
    lead: tuple[Block, ...] = ()  # before and after the units, as long as one of them is left
    tail: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A title of one line, and the parts that are not empty."""

    title: str
    parts: tuple[ReportPart, ...]


def report(title: str, *parts: ReportPart) -> Report:
    return Report(title, tuple(part for part in parts if part.units))


def section(title: str, *blocks: Block) -> ReportPart:
    """A part that is kept or left out as a whole."""
    return ReportPart(Cut.SECTION, (blocks,) if blocks else (), title)


def whole_tables(units: tuple[tuple[Block, ...], ...]) -> Iterator[tuple[Block, ...]]:
    """The units, those that are tables of the same header made one: columns are as wide as all rows need."""
    for header, group in groupby(units, key=_header):
        if header is None:
            yield from group
        else:
            tables = (block for unit in group for block in unit if isinstance(block, Table))
            yield (Table(header, tuple(row for table in tables for row in table.rows)),)


def _header(unit: tuple[Block, ...]) -> tuple[str, ...] | None:
    return unit[0].header if isinstance(unit[0], Table) and len(unit) == 1 else None


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "rule"), counted(2, "planned action")
    ('1 rule', '2 planned actions')
    """
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"
