"""Parse the text of one condition into a leaf.

    condition := [ sign ] [ "#" ] attribute [ "[" index "]" "." field ] [ operator value ]
    sign      := "-" | "¬" | "+"
    index     := "*" | integer
    operator  := "=" | "==" | ":" | "!=" | "≠" | ">=" | "≥" | "<=" | "≤" | ">" | "<" | "~=" | "*="

Blanks are allowed between any two of these.
"""

import re

from mergecast.language.conditions.attribute import AllowedIn, Attribute, CommitAttribute, Section, ValueKind
from mergecast.language.conditions.attributes import (
    ATTRIBUTES,
    COMMIT_ATTRIBUTES,
    DEPRECATED_NAMES,
    REMOVED_NAMES,
)
from mergecast.language.conditions.errors import InvalidCondition, InvalidValue, excerpt
from mergecast.language.conditions.operators import NUMBER, REVERSED, SPELLINGS, Operator
from mergecast.language.conditions.read_value import read_number, read_value
from mergecast.language.conditions.tree import CommitField, Leaf
from mergecast.language.conditions.values import Value
from mergecast.queues.model.nearest import nearest

_BLANKS = " \t\r\n"
_B = f"[{_BLANKS}]*"
_HEAD = re.compile(rf"{_B}(?P<sign>[-¬+])?{_B}(?P<count>#)?{_B}(?P<name>\w[\w-]*)?")
_COMMIT = re.compile(rf"{_B}\[{_B}(?P<index>\*|-?[0-9]{{1,9}}){_B}\]{_B}\.{_B}(?P<field>[\w-]+)")
_OPERATOR = re.compile(rf"{_B}(?P<operator>==|!=|>=|<=|~=|\*=|[=:≠≥≤<>])?")
_NAME_AND_MORE = re.compile(r"\S{0,40}")
_FORBIDDEN_FIELDS = ("sha", "parents", "gh_author_login")
_COMMITS = "commits"


def parse_condition(text: str, section: Section) -> Leaf:
    """The leaf; raises InvalidCondition with the position inside the text."""
    head = _HEAD.match(text)
    assert head is not None  # noqa: S101 -- every part of the pattern is optional
    if head["name"] is None:
        raise _no_name(text, head)
    attribute = _attribute(head["name"], head.span("name"))
    _check_use(attribute, section, head.span("name"))
    commit, end = _commit_field(text, attribute, head.end())
    compared = commit.attribute if commit else attribute
    _check_modifiers(head, attribute, commit)
    is_counted = head["count"] is not None
    operator, value = _comparison(text, compared, end, is_counted=is_counted)
    return Leaf(
        text=text,
        attribute=attribute,
        operator=operator,
        value=value,
        is_negated=head["sign"] in {"-", "¬"},
        is_counted=is_counted,
        commit=commit,
        written_name=head["name"] if attribute.name != head["name"] else None,
    )


def _no_name(text: str, head: re.Match[str]) -> InvalidCondition:
    if head.end() < len(text):
        found = _NAME_AND_MORE.match(text, head.end())
        written = found[0] if found else ""
        advice = (
            "`#` goes after `-`, as in `-#files > 3`"
            if head["count"] and written[:1] in {"-", "¬", "+"}
            else "a condition starts with the name of an attribute, such as `label = bug`"
        )
        return InvalidCondition(
            f"Invalid attribute: `{written}`; {advice}", head.end(), head.end() + len(written)
        )
    if head["sign"] or head["count"]:
        return InvalidCondition(
            "Incomplete condition: the name of an attribute is missing, such as `-draft`", 0, len(text)
        )
    return InvalidCondition("Condition empty; write for example `label = bug`", 0, len(text))


def _attribute(name: str, span: tuple[int, int]) -> Attribute:
    known = ATTRIBUTES.get(name) or ATTRIBUTES.get(DEPRECATED_NAMES.get(name, ""))
    if known:
        return known
    if name in REMOVED_NAMES:
        raise InvalidCondition(f"Invalid attribute: `{name}` {REMOVED_NAMES[name]}", *span)
    usable = (
        row.name for row in ATTRIBUTES.values() if row.allowed_in in {AllowedIn.ANYWHERE, AllowedIn.COMMANDS}
    )
    near = nearest(name, usable)
    advice = f"; did you mean `{near}`?" if near else " is not known"
    raise InvalidCondition(f"Invalid attribute: `{excerpt(name)}`{advice}", *span)


def _check_use(attribute: Attribute, section: Section, span: tuple[int, int]) -> None:
    if attribute.allowed_in is AllowedIn.TEMPLATES:
        reason = f"Invalid attribute: `{attribute.name}` is for templates only"
        advice = (
            "; write `check-success`, `check-failure` or `check-pending`" if attribute.name == "check" else ""
        )
        raise InvalidCondition(reason + advice, *span)
    if attribute.allowed_in is AllowedIn.COMMANDS and section is not Section.COMMANDS:
        reason = f"Attribute only allowed in commands_restrictions section: `{attribute.name}`"
        raise InvalidCondition(f"{reason}; `author` is the user who opened the pull request", *span)
    if attribute.allowed_in is AllowedIn.INJECTED and section is not Section.INJECTED:
        reason = f"Attribute is evaluated internally and can't be used in a condition: `{attribute.name}`"
        raise InvalidCondition(f"{reason}; use `github-review-decision` instead", *span)


def _commit_field(text: str, attribute: Attribute, end: int) -> tuple[CommitField | None, int]:
    if attribute.name != _COMMITS or not text[end:].lstrip(_BLANKS).startswith("["):
        return None, end
    match = _COMMIT.match(text, end)
    if match is None:
        reason = "Invalid attribute: write `commits[0].author`, `commits[-1].author` or `commits[*].author`"
        raise InvalidCondition(reason, end, len(text))
    row = COMMIT_ATTRIBUTES.get(match["field"])
    if row is None:
        raise _unknown_field(match)
    index = None if match["index"] == "*" else int(match["index"])
    return CommitField(index, row), match.end()


def _unknown_field(match: re.Match[str]) -> InvalidCondition:
    name = match["field"]
    near = None if name in _FORBIDDEN_FIELDS else nearest(name, COMMIT_ATTRIBUTES)
    advice = (
        f"did you mean `{near}`?"
        if near
        else "write one of " + ", ".join(f"`{row}`" for row in COMMIT_ATTRIBUTES)
    )
    reason = f"Invalid attribute: `{excerpt(name)}` of a commit cannot be used in a condition; {advice}"
    return InvalidCondition(reason, *match.span("field"))


def _check_modifiers(head: re.Match[str], attribute: Attribute, commit: CommitField | None) -> None:
    compared = commit.attribute if commit else attribute
    name = f"commits[…].{compared.name}" if commit else attribute.name
    is_counted = head["count"] is not None
    if attribute.count and attribute.count.is_required and not is_counted:
        reason = f"`#` modifier is required for attribute: `{name}`; write `#{name}`"
        raise InvalidCondition(reason, *head.span("name"))
    if head["sign"] in {"-", "¬"} and not compared.is_negatable:
        raise InvalidCondition(
            f"`-` modifier is invalid for attribute: `{name}`; {_instead_of_negation(compared)}",
            *head.span("sign"),
        )
    if is_counted and (commit or attribute.count is None):
        raise InvalidCondition(
            f"`#` modifier is invalid for attribute: `{name}`; only lists and text can be counted",
            *head.span("count"),
        )


def _instead_of_negation(compared: Attribute | CommitAttribute) -> str:
    if compared.kind is ValueKind.SCHEDULE:
        return "write `schedule != …`"
    return f"reverse the operator, such as `{compared.name} >= …` for `-{compared.name} < …`"


def _comparison(
    text: str, compared: Attribute | CommitAttribute, end: int, *, is_counted: bool
) -> tuple[Operator, Value]:
    if compared.kind is ValueKind.BOOLEAN:
        if text[end:].strip(_BLANKS):
            reason = f"Operators are invalid for Boolean attribute: `{compared.name}`"
            raise InvalidCondition(f"{reason}; write `{compared.name}` or `-{compared.name}`", end, len(text))
        return Operator.EQUAL, True
    operator, end = _operator(text, compared, end, is_counted=is_counted)
    written = text[end:].strip(_BLANKS)
    try:
        return operator, read_number(written) if is_counted else read_value(compared, operator, written)
    except InvalidValue as error:
        start = text.index(written, end)
        explained = _reversed_operator(text, end - 1)
        raise explained or InvalidCondition(error.reason, start, start + len(written)) from None


def _operator(
    text: str, compared: Attribute | CommitAttribute, end: int, *, is_counted: bool
) -> tuple[Operator, int]:
    allowed = NUMBER if is_counted else compared.operators
    match = _OPERATOR.match(text, end)
    assert match is not None  # noqa: S101 -- blanks and operator are both optional
    operator = SPELLINGS.get(match["operator"])
    if operator in allowed:
        return operator, match.end()
    name = f"#{compared.name}" if is_counted else compared.name
    choice = ", ".join(f"`{operator}`" for operator in allowed)
    raise _invalid_operator(text, match, name, choice)


def _invalid_operator(text: str, match: re.Match[str], name: str, choice: str) -> InvalidCondition:
    end, written = match.end(), match["operator"]
    if written:
        if explained := _reversed_operator(text, end - 1):
            return explained
        reason = f"Invalid operator: `{written}` cannot be used with `{name}`; write one of {choice}"
        return InvalidCondition(reason, end - len(written), end)
    found = _NAME_AND_MORE.match(text, end)
    shown = found[0] if found else ""
    if not shown:
        reason = f"Invalid operator: `{name}` needs an operator and a value; write one of {choice}"
    elif shown.startswith(("!~", "!*")):
        symbol = f"{shown[1]}="
        reason = f"Invalid operator: there is no `!{symbol}`; write `-{name} {symbol} …`"
    else:
        reason = f"Invalid operator: found `{shown}` after `{name}`; write one of {choice}"
    return InvalidCondition(reason, end, end + len(shown))


def _reversed_operator(text: str, start: int) -> InvalidCondition | None:
    """The error for `=>`, which reads as `=` and a value that starts with `>`."""
    written = text[start : start + 2]
    if written not in REVERSED:
        return None
    reason = f"Invalid operator: `{written}` is not an operator; did you mean `{REVERSED[written]}`?"
    return InvalidCondition(reason, start, start + 2)
