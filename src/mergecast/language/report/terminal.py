"""A report as plain text for a terminal, without markup."""

from collections.abc import Iterator

from mergecast.language.conditions.result import Truth
from mergecast.language.report.escape import LINE_BREAK, on_one_line, visible
from mergecast.language.report.outline import (
    Block,
    Bullet,
    Checklist,
    ChecklistItem,
    Code,
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
    whole_tables,
)
from mergecast.language.rules.sentence import Login, Name, Passage

HOLDS, FAILS, UNKNOWN, NO_BOX = "✓", "✗", "?", "·"
_WIDE_SIGN = "\ufe0f"
_SIGNS = {Truth.HOLDS: HOLDS, Truth.FAILS: FAILS, Truth.UNKNOWN: UNKNOWN, None: NO_BOX}


def plain_text(report: Report) -> str:
    """The title, then every part, indented by depth; each condition starts with a sign."""
    lines = [on_one_line(report.title)]
    for part in report.parts:
        lines += _part(part)
    return "\n".join(lines) + "\n"


def _part(part: ReportPart) -> Iterator[str]:
    label = part.title or part.folded
    if label:
        yield from ("", label)
    elif not isinstance(part.units[0][0], Heading):
        yield ""
    for unit in (part.lead, *whole_tables(part.units), part.tail):
        yield from _blocks(unit, 1 if label else 0)


def _blocks(blocks: tuple[Block, ...], depth: int) -> Iterator[str]:
    """Blocks after a heading are indented below it; collapsed blocks get their label as a heading."""
    inner = depth
    for block in blocks:
        if isinstance(block, Heading):
            inner = depth + 1
            yield from ("", _indented(_line(block.line), depth))
        elif isinstance(block, Folded):
            yield from ("", _indented(block.label, depth))
            yield from _blocks(block.blocks, depth + 1)
        else:
            yield from (_indented(line, inner) for line in _block(block))


def _block(block: Paragraph | Bullet | Quote | Checklist | Table) -> Iterator[str]:
    match block:
        case Paragraph(line=line) | Quote(line=line):
            yield _line(line)
        case Bullet(line=line):
            yield f"• {_line(line)}"
        case Checklist(items=items):
            yield from map(_item, items)
        case Table():
            yield from _table(block)


def _item(item: ChecklistItem) -> str:
    return f"{'  ' * item.depth}{_SIGNS[item.truth]} {_line(item.line)}"


def _table(table: Table) -> Iterator[str]:
    rows = [table.header, *(tuple(map(_line, row)) for row in table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def _line(line: Line) -> str:
    return "".join(map(_inline, line))


def _inline(piece: Inline) -> str:
    match piece:
        case str():
            return _unmarked(piece)
        case Name() | Login():
            return on_one_line(str(piece))
        case Code(text=text):
            return visible(text).replace("\n", LINE_BREAK)
        case Passage(text=text):
            return _passage(text)
        case Prose(text=text) | Strong(text=text):
            return _unmarked(on_one_line(text))


def _unmarked(text: str) -> str:
    """Without backticks and wide signs, whose width differs between terminals."""
    return text.replace("`", "'").replace(_WIDE_SIGN, "")


def _passage(text: str) -> str:
    lines = visible(text).strip("\n").split("\n")
    return lines[0] if len(lines) == 1 else "\n" + "\n".join(f"  │ {line}".rstrip() for line in lines)


def _indented(text: str, depth: int) -> str:
    return "\n".join(f"{'  ' * depth}{line}".rstrip() for line in text.split("\n"))
