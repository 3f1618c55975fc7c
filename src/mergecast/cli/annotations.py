"""Remarks as commands of GitHub Actions, which shows them beside the lines of a change."""

from mergecast.cli.remarks import Kind, Remark

_COMMANDS = {Kind.ERROR: "error", Kind.WARNING: "warning", Kind.HINT: "notice", Kind.NOTE: "notice"}
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = {**_IN_MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}


def annotations(name: str, remarks: list[Remark]) -> list[str]:
    return [_annotation(name, remark) for remark in remarks]


def _annotation(name: str, remark: Remark) -> str:
    place = f"file={name.translate(_IN_PROPERTY)}"
    if remark.line:
        place += f",line={remark.line},col={remark.column}"
    return f"::{_COMMANDS[remark.kind]} {place}::{remark.message.translate(_IN_MESSAGE)}"
