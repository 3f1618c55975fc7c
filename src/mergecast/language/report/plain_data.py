"""A report, and the rows of a repository, as plain data for pages. Names and code are between backticks."""

from collections.abc import Iterable
from typing import Any, Final

from mergecast.language.conditions.result import Truth
from mergecast.language.report.escape import on_one_line, visible
from mergecast.language.report.outline import (
    Block,
    Bullet,
    Checklist,
    Code,
    Folded,
    Heading,
    Inline,
    Line,
    Paragraph,
    Prose,
    Quote,
    Report,
    Strong,
    Table,
)
from mergecast.language.rules.repository import PullRequestRow
from mergecast.language.rules.sentence import Login, Name, Passage, Sentence

Plain = dict[str, Any]

_STATES: Final = {Truth.HOLDS: "holds", Truth.FAILS: "fails", Truth.UNKNOWN: "unknown", None: None}
_KINDS: Final = {Heading: "heading", Paragraph: "text", Quote: "text", Bullet: "bullet"}
_LONGEST: Final = 2000  # characters of one line


def report_data(report: Report) -> Plain:
    """The title and the parts, each with its blocks in order."""
    return {
        "title": on_one_line(report.title),
        "parts": [
            {
                "title": part.title or part.folded,
                "blocks": [
                    shown
                    for unit in (part.lead, *part.units, part.tail)
                    for block in unit
                    for shown in _blocks(block)
                ],
            }
            for part in report.parts
        ],
    }


def _blocks(block: Block) -> Iterable[Plain]:
    match block:
        case Folded(label=label, blocks=blocks):
            yield _block("heading", label)
            for inner in blocks:
                yield from _blocks(inner)
        case Checklist(items=items):
            conditions = [
                {"depth": item.depth, "state": _STATES[item.truth], "text": marked(item.line)}
                for item in items
            ]
            yield {**_block("conditions"), "conditions": conditions}
        case Table(header=header, rows=rows):
            yield {
                **_block("table"),
                "rows": [list(header), *([marked(cell) for cell in row] for row in rows)],
            }
        case _:
            yield _block(_KINDS[type(block)], marked(block.line))


def _block(kind: str, text: str = "") -> Plain:
    return {"kind": kind, "text": text, "conditions": [], "rows": []}


def row_data(row: PullRequestRow) -> Plain:
    """What happens to one pull request now and would happen then, and why."""
    return {
        "number": row.number,
        "title": on_one_line(row.title),
        "outcome": _outcome(row),
        "now": None if row.state_now is None else _said(row.state_now),
        "then": None if row.state is None else _said(row.state),
        "changes": None if row.differences is None else [_said(one) for one in row.differences],
        "why": [_said(blocker) for blocker in row.blockers],
        "rules": [on_one_line(name) for name in row.matching],
        "error": row.error,
    }


def _outcome(row: PullRequestRow) -> str:
    if row.error is not None:
        return "not simulated"
    return "no queue" if row.entrance is None else row.entrance.value


def _said(sentence: Sentence) -> str:
    return marked(sentence.pieces)


def marked(line: Line) -> str:
    """One line of text.

    >>> marked(("would enter ", Name("default"), ", by ", Login("ann")))
    'would enter `default`, by `@ann`'
    """
    text = "".join(map(_inline, line))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _inline(piece: Inline) -> str:
    match piece:
        case str():
            return piece
        case Prose(text=text) | Strong(text=text):
            return on_one_line(text)
        case Login(text=text):
            return _code(f"@{text}")
        case Name(text=text) | Code(text=text):
            return _code(text)
        case Passage(text=text):
            return _code(on_one_line(visible(text)[:_LONGEST]))


def _code(text: str) -> str:
    shown = on_one_line(text)
    return shown if "`" in shown or not shown else f"`{shown}`"
