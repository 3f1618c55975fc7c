"""A report as a tree of blocks, independent of how it is rendered."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from mergecast.language.conditions.result import Truth
from mergecast.language.rules.sentence import Login, Name, Passage


@dataclass(frozen=True, slots=True)
class Prose:
    """Text that may contain text of users; text between backticks is code."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Emphasized prose."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Part of the language or a value, shown verbatim."""

    text: str


Inline = str | Name | Login | Passage | Prose | Strong | Code
Line = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: level 3 for a section or a rule, level 4 inside one."""

    level: int
    line: Line
    is_struck: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One line of prose."""

    line: Line


@dataclass(frozen=True, slots=True)
class Bullet:
    """One list item; consecutive items form one list."""

    line: Line


@dataclass(frozen=True, slots=True)
class Quote:
    """A banner."""

    line: Line


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One line of a checklist; it has no box if `truth` is None."""

    depth: int
    truth: Truth | None
    line: Line


@dataclass(frozen=True, slots=True)
class Checklist:
    """Conditions, each with its box."""

    items: tuple[ChecklistItem, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under a header; consecutive tables with the same header form one table."""

    header: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Folded:
    """Less important blocks, collapsed by default."""

    label: str
    blocks: tuple["Block", ...]


Block = Heading | Paragraph | Bullet | Quote | Checklist | Table | Folded


class Cut(Enum):
    """What is dropped from a report that is too long, in this order; the value names one unit."""

    SECTION = "section"  # dropped only as a whole
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
    """A part of a report; each unit can be dropped independently."""

    cut: Cut
    units: tuple[tuple[Block, ...], ...]
    title: str | None = None
    folded: str | None = None  # the label, if the whole part is collapsed by default
    lead: tuple[Block, ...] = ()  # before and after the units, unless all are dropped
    tail: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A one-line title and the non-empty parts."""

    title: str
    parts: tuple[ReportPart, ...]


def report(title: str, *parts: ReportPart) -> Report:
    return Report(title, tuple(part for part in parts if part.units))


def section(title: str, *blocks: Block) -> ReportPart:
    """A part that is kept or dropped as a whole."""
    return ReportPart(Cut.SECTION, (blocks,) if blocks else (), title)


def whole_tables(units: tuple[tuple[Block, ...], ...]) -> Iterator[tuple[Block, ...]]:
    """The units, with consecutive tables joined, so that columns are wide enough for all rows."""
    for header, group in groupby(units, key=_header):
        if header is None:
            yield from group
        else:
            tables = (block for unit in group for block in unit if isinstance(block, Table))
            yield (Table(header, tuple(row for table in tables for row in table.rows)),)


def _header(unit: tuple[Block, ...]) -> tuple[str, ...] | None:
    return unit[0].header if isinstance(unit[0], Table) and len(unit) == 1 else None
