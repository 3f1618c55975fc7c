"""Parse the text after the operator into a typed value."""

import re
import warnings
from collections.abc import Callable

from mergecast.language.conditions.attribute import Attribute, CommitAttribute, ValueKind
from mergecast.language.conditions.errors import InvalidValue, excerpt
from mergecast.language.conditions.globs import Glob, compile_glob
from mergecast.language.conditions.operators import EQUALITY, Operator
from mergecast.language.conditions.times.intervals import Interval, looks_like_interval, parse_interval
from mergecast.language.conditions.times.schedules import Schedule, parse_schedule
from mergecast.language.conditions.times.timestamps import Instant, RelativeTime, parse_time, parse_timestamp
from mergecast.language.conditions.values import CheckName, Permission, Placeholder, Team, Value

LARGEST = 2**63 - 1
_INTEGER = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS = 25  # Python refuses to convert very long ones.


def read_value(attribute: Attribute | CommitAttribute, operator: Operator, written: str) -> Value:
    """The value in the type that the attribute needs; raises InvalidValue."""
    reader = _READERS.get(attribute.kind)
    return (
        read_text(attribute, operator, written)
        if reader is None
        else reader(attribute, operator, unquoted(written))
    )


def read_number(written: str) -> int:
    if not written:
        raise InvalidValue("The value is missing; write a whole number such as 3")
    if not _INTEGER.fullmatch(written):
        raise InvalidValue(f"{excerpt(written)} is not a number; write a whole number such as 3")
    if len(written) > _MOST_DIGITS or abs(int(written)) > LARGEST:
        raise InvalidValue(f"Value must be at most {LARGEST}")
    return int(written)


def _number(attribute: Attribute | CommitAttribute, _: Operator, written: str) -> int:
    number = read_number(written)
    if attribute.name == "number" and number < 1:
        raise InvalidValue("Value must be positive; pull requests are numbered from 1")
    return number


def _permission(_: Attribute | CommitAttribute, __: Operator, written: str) -> Permission:
    try:
        return Permission(written)
    except ValueError:
        levels = ", ".join(f"`{level.value}`" for level in Permission)
        raise InvalidValue(f"Invalid permission; write one of {levels}") from None


def _time(_: Attribute | CommitAttribute, __: Operator, written: str) -> Instant | RelativeTime:
    return parse_time(written)


def _present(_: Attribute | CommitAttribute, operator: Operator, written: str) -> Instant | Interval:
    if looks_like_interval(written):
        interval = parse_interval(written)
        if operator not in EQUALITY:
            raise InvalidValue("Invalid operator: compare an interval with `=` (inside) or `!=` (outside)")
        return interval
    instant = parse_timestamp(written)
    if operator in EQUALITY:
        raise InvalidValue(
            "Invalid operator: compare a timestamp with `>=`, `<=`, `>` or `<`; `=` needs an interval"
        )
    return instant


def _schedule(_: Attribute | CommitAttribute, __: Operator, written: str) -> Schedule:
    return parse_schedule(written)


_READERS: dict[ValueKind, Callable[[Attribute | CommitAttribute, Operator, str], Value]] = {
    ValueKind.NUMBER: _number,
    ValueKind.PERMISSION: _permission,
    ValueKind.TIME: _time,
    ValueKind.PRESENT: _present,
    ValueKind.SCHEDULE: _schedule,
}


QUOTES = ("'", '"')

_AUTHOR = re.compile(r"\{\{[ \t]*author[ \t]*\}\}")
_VARIABLE = re.compile(r"\{\{([^{}]*)\}\}")
_GLOB_VARIABLE = re.compile(r"\{\{([^{},]*)\}\}")  # with a comma, it is a nested group of alternatives
_NOT_IN_BRANCH = re.compile(r"[~^:\[\]\\ ]")
_LOGIN = re.compile(r"[A-Za-z0-9_\[\]-]*")
_TEAM_PART = re.compile(r"[\w.-]+", re.ASCII)
_CHECK = re.compile(r"@([^/]+)/(.+)", re.DOTALL)


def read_text(attribute: Attribute | CommitAttribute, operator: Operator, written: str) -> Value:
    """The value of a text-like attribute; raises InvalidValue."""
    if operator is Operator.MATCHES:
        return _read_pattern(attribute, unquoted(written))
    if operator is Operator.GLOB:
        return _read_glob(attribute, unquoted(written))
    text = unquoted(written)
    if text is written and (written[:1] in QUOTES or written[-1:] in QUOTES) and written:
        raise InvalidValue(
            "Unbalanced quotes; a value with a quote at one end needs the same quote at the other end"
        )
    if "{{" in text:
        if _AUTHOR.fullmatch(text):
            return Placeholder.AUTHOR
        _refuse_variables(_VARIABLE.search(text))
    if attribute.kind is ValueKind.WORD and " " in text and text is written:
        raise InvalidValue(
            f'Invalid `{attribute.name}` format; put a value with spaces in quotes: `"{excerpt(text)}"`'
        )
    return _EXACT.get(attribute.kind, _plain)(attribute, text)


def unquoted(written: str) -> str:
    """The text without one pair of matching outer quotes."""
    if len(written) > 1 and written[0] in QUOTES and written[0] == written[-1]:
        return written[1:-1]
    return written


def _read_pattern(attribute: Attribute | CommitAttribute, text: str) -> re.Pattern[str] | Placeholder:
    if _AUTHOR.fullmatch(text):
        return Placeholder.AUTHOR
    _refuse_variables(_VARIABLE.fullmatch(text))
    _refuse_team(attribute, text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(text)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise InvalidValue(f"Invalid regular expression: {excerpt(str(error))}") from None


def _read_glob(attribute: Attribute | CommitAttribute, text: str) -> Glob | Placeholder:
    if _AUTHOR.fullmatch(text):
        return Placeholder.AUTHOR
    _refuse_variables(_GLOB_VARIABLE.search(text))
    _refuse_team(attribute, text)
    return compile_glob(text)


def _refuse_variables(match: re.Match[str] | None) -> None:
    if match:
        name = excerpt(match[1].strip())
        advice = "the only variable is `{{ author }}`, and it must be the whole value"
        raise InvalidValue(f"Unknown variable: {name}; {advice}")


def _refuse_team(attribute: Attribute | CommitAttribute, text: str) -> None:
    if attribute.kind is ValueKind.LOGIN and text.startswith("@"):
        raise InvalidValue(
            f"Regular expression are not supported for team slug; write `{attribute.name} = {excerpt(text)}`"
        )


def _plain(_: Attribute | CommitAttribute, text: str) -> str:
    return text


def _branch(_: Attribute | CommitAttribute, text: str) -> str:
    if found := _NOT_IN_BRANCH.search(text):
        what = "a space" if found[0] == " " else f"`{found[0]}`"
        raise InvalidValue(
            f"Invalid branch name: it contains {what}; to match a regular expression, use `~=`"
        )
    return text


def _login(_: Attribute | CommitAttribute, text: str) -> str | Team:
    if text.startswith("@"):
        return _team(text)
    if not _LOGIN.fullmatch(text):
        advice = (
            f"; a team is written `@{excerpt(text)}`"
            if _is_team(text)
            else ": use letters, digits and `-` only"
        )
        raise InvalidValue(f"Invalid GitHub login{advice}")
    return text


def _is_team(text: str) -> bool:
    return text.count("/") == 1 and all(_TEAM_PART.fullmatch(part) for part in text.split("/"))


def _team(text: str) -> Team:
    owner, separator, slug = text[1:].rpartition("/")
    if text.count("@") > 1 or text.count("/") > 1 or not slug or bool(separator) != bool(owner):
        raise InvalidValue("Invalid team name; write `@team` or `@organization/team`")
    if not all(_TEAM_PART.fullmatch(part) for part in (owner or slug, slug)):
        raise InvalidValue("Invalid GitHub team name: use letters, digits, `-`, `_` and `.` only")
    return Team(owner or None, slug)


def _check(_: Attribute | CommitAttribute, text: str) -> CheckName:
    if not text.startswith("@"):
        return CheckName(None, text)
    match = _CHECK.fullmatch(text)
    if match is None:
        raise InvalidValue("Invalid check name: expected @<app-slug>/<check-name>")
    return CheckName(match[1], match[2])


def _enumeration(attribute: Attribute | CommitAttribute, text: str) -> str:
    is_folded = isinstance(attribute, Attribute) and attribute.is_folded
    return text.upper().replace("-", "_") if is_folded else text


_EXACT: dict[ValueKind, Callable[[Attribute | CommitAttribute, str], str | Team | CheckName]] = {
    ValueKind.BRANCH: _branch,
    ValueKind.LOGIN: _login,
    ValueKind.CHECK: _check,
    ValueKind.ENUMERATION: _enumeration,
}
