"""A report as GitHub Flavored Markdown; if it is too long, the least important parts are dropped first."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap

from mergecast.language.conditions.result import Truth
from mergecast.language.report.escape import cell_code, cell_prose, code, fenced, prose
from mergecast.language.report.outline import (
    Block,
    Bullet,
    Checklist,
    ChecklistItem,
    Code,
    Cut,
    Folded,
    Heading,
    Inline,
    Line,
    Paragraph,
    Prose,
    Quote,
    Report,
    ReportPart,
    Strong,
    Table,
)
from mergecast.language.rules.sentence import Login, Name, Passage
from mergecast.queues.model.words import counted

LONGEST_SUMMARY = 65_535
# Room for the last line, which counts what was dropped and names each kind and section once.
_ROOM = 400
# Kinds with possibly hundreds of units are first reduced to this many, so that they do not displace the rest.
_KEPT_AT_FIRST = {Cut.DEPRECATION: 20, Cut.OVERVIEW: 20, Cut.ROW: 20, Cut.DIFFERENCE: 20}
LONGEST_PASSAGE = 4_000
_LONGEST_IN_LINE = 100
_BLANK_LINE = "\n\n"
_LINE_WITH_TEXT = re.compile(r"\n(?=[^\n])")
_PREFIXES = {Paragraph: "", Bullet: "- ", Quote: "> "}


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A rendered part; without units it is empty."""

    cut: Cut
    title: str | None
    opening: str
    units: tuple[str, ...]
    closing: str = ""

    def text(self, count: int) -> str:
        """The part with only its first units."""
        return f"{self.opening}{''.join(self.units[:count])}{self.closing}" if count else ""


def within(limit: int, parts: Sequence[WrittenPart]) -> str:
    """The whole text, or as much as fits and a last line that counts the rest."""
    kept = [len(part.units) for part in parts]
    whole = _joined(parts, kept)
    if len(whole) <= limit:
        return whole
    size = sum(len(part.text(count)) for part, count in zip(parts, kept, strict=True))
    for place in _cutting_order(parts):
        if size <= limit - _ROOM:
            break
        before = len(parts[place].text(kept[place]))
        kept[place] -= 1
        size -= before - len(parts[place].text(kept[place]))
    return "\n\n".join(filter(None, [_joined(parts, kept), _left_out(parts, kept, limit)]))


def _cutting_order(parts: Sequence[WrittenPart]) -> Iterable[int]:
    """The indexes of the parts that lose their last unit, one by one; a section has a single unit."""
    for cut, most in _KEPT_AT_FIRST.items():
        for place in _places(parts, cut):
            yield from [place] * (len(parts[place].units) - most)
    for cut in Cut:
        for place in _places(parts, cut):
            number = len(parts[place].units)
            yield from [place] * min(number, _KEPT_AT_FIRST.get(cut, number))


def _places(parts: Sequence[WrittenPart], cut: Cut) -> Iterable[int]:
    return (place for place in reversed(range(len(parts))) if parts[place].cut is cut)


def _joined(parts: Sequence[WrittenPart], kept: Sequence[int]) -> str:
    return "".join(part.text(count) for part, count in zip(parts, kept, strict=True)).rstrip("\n")


def _left_out(parts: Sequence[WrittenPart], kept: Sequence[int], limit: int) -> str:
    numbers: Counter[Cut] = Counter()
    sections = []
    for part, count in zip(parts, kept, strict=True):
        numbers[part.cut] += len(part.units) - count
        if part.cut is Cut.SECTION and not count:
            sections.append(part.title or "")
    words = [counted(numbers[cut], cut.value) for cut in Cut if numbers[cut]]
    if sections:
        words[0] += f" ({', '.join(sections)})"
    return f"✂️ Left out to stay within {limit:,} characters: {', '.join(words)}"


def summary(report: Report, limit: int = LONGEST_SUMMARY) -> str:
    """The report without its title."""
    return within(limit, [_part(part) for part in report.parts])


def _part(part: ReportPart) -> WrittenPart:
    opening = f"### {part.title}\n\n" if part.title else ""
    closing = _BLANK_LINE
    if part.folded:
        opening = f"<hr />\n\n<details>\n<summary>{part.folded}</summary>\n\n"
        closing += "</details>\n\n"
    if part.lead:
        opening += _blocks(part.lead) + _BLANK_LINE
    if part.tail:
        closing = f"{_BLANK_LINE}{_blocks(part.tail)}{closing}"
    first, following = _blocks(part.units[0]), starmap(_next_unit, pairwise(part.units))
    return WrittenPart(part.cut, part.title, opening, (first, *following), closing)


def _next_unit(before: tuple[Block, ...], unit: tuple[Block, ...]) -> str:
    return _next(before[-1], unit[0]) + _rest(unit)


def _blocks(blocks: tuple[Block, ...]) -> str:
    return _block(blocks[0]) + _rest(blocks)


def _rest(blocks: tuple[Block, ...]) -> str:
    return "".join(starmap(_next, pairwise(blocks)))


def _next(before: Block, block: Block) -> str:
    """Consecutive bullets are one list, and consecutive tables one table, without a blank line between."""
    match before, block:
        case Bullet(), Bullet():
            return f"\n{_block(block)}"
        case Table(), Table():
            return f"\n{_rows(block)}"
        case _:
            return f"{_BLANK_LINE}{_block(block)}"


def _block(block: Block) -> str:
    match block:
        case Heading(level=level, line=line, is_struck=is_struck):
            return f"{'#' * level} {f'~~{_line(line)}~~' if is_struck else _line(line)}"
        case Paragraph(line=line) | Bullet(line=line) | Quote(line=line):
            # Indented, so that all lines of a passage belong to the list item.
            text = _LINE_WITH_TEXT.sub("\n  ", _line(line)) if isinstance(block, Bullet) else _line(line)
            return _PREFIXES[type(block)] + text
        case Checklist(items=items):
            return "\n".join(_item(item) for item in items)
        case Folded(label=label, blocks=blocks):
            return f"<details>\n<summary>{label}</summary>\n\n{_blocks(blocks)}\n\n</details>"
        case Table():
            return _table(block)


def _item(item: ChecklistItem) -> str:
    box = "" if item.truth is None else "[X] " if item.truth is Truth.HOLDS else "[ ] "
    return f"{'  ' * item.depth}- {box}{_line(item.line)}"


def _table(table: Table) -> str:
    return f"| {' | '.join(table.header)} |\n|{' --- |' * len(table.header)}\n{_rows(table)}"


def _rows(table: Table) -> str:
    return "\n".join(
        "".join(f"| {''.join(map(_in_cell, line))} " for line in row) + "|" for row in table.rows
    )


def _line(line: Line) -> str:
    text = ""
    for written in map(_inline, line):
        # A long passage becomes a block below the line.
        text = (text.rstrip(" ") if written.startswith("\n") else text) + written
    return text


def _inline(piece: Inline) -> str:
    match piece:
        case str():
            return piece
        case Prose(text=text):
            return prose(text)
        case Strong(text=text):
            return f"**{prose(text)}**"
        case Login(text=text):
            return code(f"@{text}")
        case Name(text=text) | Code(text=text):
            return code(text)
        case Passage(text=text):
            return _passage(text)


def _in_cell(piece: Inline) -> str:
    match piece:
        case str():
            return piece
        case Prose(text=text) | Strong(text=text):
            return cell_prose(text)
        case Login(text=text):
            return cell_code(f"@{text}")
        case Name(text=text) | Code(text=text) | Passage(text=text):
            return cell_code(text)


def _passage(text: str) -> str:
    """In the line if it is short, else as a separate block."""
    if len(text) <= _LONGEST_IN_LINE and "\n" not in text.strip():
        return code(text.strip())
    more = len(text) - LONGEST_PASSAGE
    rest = f"\n\n… and {more:,} more characters" if more > 0 else ""
    return f"\n\n{fenced(text[:LONGEST_PASSAGE])}{rest}"
