"""Values of text-like attributes: quotes, the author's placeholder, patterns, and what each kind allows."""

import re
import warnings
from collections.abc import Callable

from mergecast.conditions.attribute import Attribute, CommitAttribute, Kind
from mergecast.conditions.errors import InvalidValue
from mergecast.conditions.excerpt import excerpt
from mergecast.conditions.globs.patterns import Glob, compile_glob
from mergecast.conditions.operators import Operator
from mergecast.conditions.values import CheckName, Placeholder, Team, Value

QUOTES = ("'", '"')

_AUTHOR = re.compile(r"\{\{[ \t]*author[ \t]*\}\}")
_VARIABLE = re.compile(r"\{\{([^{}]*)\}\}")
_GLOB_VARIABLE = re.compile(r"\{\{([^{},]*)\}\}")  # with a comma it is a group of alternatives in another
_NOT_IN_BRANCH = re.compile(r"[~^:\[\]\\ ]")
_LOGIN = re.compile(r"[A-Za-z0-9_\[\]-]*")
_TEAM_PART = re.compile(r"[\w.-]+", re.ASCII)
_CHECK = re.compile(r"@([^/]+)/(.+)", re.DOTALL)


def read_text(subject: Attribute | CommitAttribute, operator: Operator, written: str) -> Value:
    """The value of a text-like attribute; raises InvalidValue."""
    if operator is Operator.MATCHES:
        return _read_pattern(subject, unquoted(written))
    if operator is Operator.GLOB:
        return _read_glob(subject, unquoted(written))
    text = unquoted(written)
    if text is written and (written[:1] in QUOTES or written[-1:] in QUOTES) and written:
        raise InvalidValue("Unbalanced quotes; a quote at one end of a value needs the same at the other")
    if "{{" in text:
        if _AUTHOR.fullmatch(text):
            return Placeholder.AUTHOR
        _refuse_variables(_VARIABLE.search(text))
    if subject.kind is Kind.WORD and " " in text and text is written:
        raise InvalidValue(
            f'Invalid `{subject.name}` format; put a value with blanks in quotes: `"{excerpt(text)}"`'
        )
    return _EXACT.get(subject.kind, _plain)(subject, text)


def unquoted(written: str) -> str:
    """Without one pair of matching outer quotes."""
    if len(written) > 1 and written[0] in QUOTES and written[0] == written[-1]:
        return written[1:-1]
    return written


def _read_pattern(subject: Attribute | CommitAttribute, text: str) -> re.Pattern[str] | Placeholder:
    if _AUTHOR.fullmatch(text):
        return Placeholder.AUTHOR
    _refuse_variables(_VARIABLE.fullmatch(text))
    _refuse_team(subject, text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # what a later Python may read otherwise is no concern of the author
            return re.compile(text)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise InvalidValue(f"Invalid regular expression: {excerpt(str(error))}") from None


def _read_glob(subject: Attribute | CommitAttribute, text: str) -> Glob | Placeholder:
    if _AUTHOR.fullmatch(text):
        return Placeholder.AUTHOR
    _refuse_variables(_GLOB_VARIABLE.search(text))
    _refuse_team(subject, text)
    return compile_glob(text)


def _refuse_variables(match: re.Match[str] | None) -> None:
    if match:
        name = excerpt(match[1].strip())
        raise InvalidValue(f"Unknown variable: {name}; only `{{{{ author }}}}` is known, as the whole value")


def _refuse_team(subject: Attribute | CommitAttribute, text: str) -> None:
    if subject.kind is Kind.LOGIN and text.startswith("@"):
        raise InvalidValue(
            f"Regular expression are not supported for team slug; write `{subject.name} = {excerpt(text)}`"
        )


def _plain(_: Attribute | CommitAttribute, text: str) -> str:
    return text


def _branch(_: Attribute | CommitAttribute, text: str) -> str:
    if found := _NOT_IN_BRANCH.search(text):
        what = "a blank" if found[0] == " " else f"`{found[0]}`"
        raise InvalidValue(
            f"Invalid branch name: {what} cannot be part of it; `~=` takes a regular expression"
        )
    return text


def _login(_: Attribute | CommitAttribute, text: str) -> str | Team:
    if text.startswith("@"):
        return _team(text)
    if not _LOGIN.fullmatch(text):
        advice = (
            f"; a team is written `@{excerpt(text)}`"
            if _is_team(text)
            else ": it has letters, digits and `-` only"
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
        raise InvalidValue("Invalid GitHub team name: it has letters, digits, `-`, `_` and `.` only")
    return Team(owner or None, slug)


def _check(_: Attribute | CommitAttribute, text: str) -> CheckName:
    if not text.startswith("@"):
        return CheckName(None, text)
    match = _CHECK.fullmatch(text)
    if match is None:
        raise InvalidValue("Invalid check name: expected @<app-slug>/<check-name>")
    return CheckName(match[1], match[2])


def _enumeration(subject: Attribute | CommitAttribute, text: str) -> str:
    is_folded = isinstance(subject, Attribute) and subject.is_folded
    return text.upper().replace("-", "_") if is_folded else text


_EXACT: dict[Kind, Callable[[Attribute | CommitAttribute, str], str | Team | CheckName]] = {
    Kind.BRANCH: _branch,
    Kind.LOGIN: _login,
    Kind.CHECK: _check,
    Kind.ENUMERATION: _enumeration,
}
