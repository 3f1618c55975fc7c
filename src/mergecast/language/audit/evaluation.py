"""Evaluates GitHub's expressions with three answers: true, false, and cannot tell.

What cannot be told is a value too, `Unknown`. It may have a symbol: two values with the same symbol are
equal in all
runs of a workflow, so that keys of concurrency can be compared although nobody knows what they are.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mergecast.language.audit.expressions import Node, Template

_LONGEST_SYMBOL = 500


class Unknown(NamedTuple):
    symbol: str | None = None
    truth: bool | None = None  # known although the value is not
    is_name: bool = False  # a text that is neither empty nor a number
    is_distinct: bool = False  # another value in each run

    def member(self, key: str) -> "Unknown":
        return Unknown(f"{self.symbol}.{key}") if self.symbol else Unknown()


class Object(NamedTuple):
    """A mapping with keys in lower case; `rest` is the value of all other keys."""

    fields: Mapping[str, "Value"]
    rest: "Value" = None


Value = None | bool | float | str | list["Value"] | Object | Unknown
# The values of the contexts (`github`, `needs` …), and the answers of `success()` and its like.
Context = Mapping[str, Value]


def truth(value: Value) -> bool | None:
    """Whether a value counts as true; None if that cannot be told."""
    if isinstance(value, Unknown):
        return True if value.is_name else value.truth
    if isinstance(value, list | Object):
        return True
    return bool(value) and not (isinstance(value, float) and math.isnan(value))


def evaluate(node: Node, context: Context) -> Value:  # noqa: PLR0911 - one answer for each kind
    match node.kind:
        case "literal":
            return node.value
        case "name":
            return context.get(str(node.value), Unknown())
        case "index":
            return _index(evaluate(node.parts[0], context), evaluate(node.parts[1], context))
        case "star":
            return _members(evaluate(node.parts[0], context))
        case "!":
            value = evaluate(node.parts[0], context)
            known = truth(value)
            return Unknown(_symbol("!", value)) if known is None else not known
        case "&&" | "||":
            return _chosen(node, context)
        case "compare":
            left, right = (evaluate(part, context) for part in node.parts)
            return _compared(str(node.value), left, right)
    return _called(str(node.value), node, context)


def holds(condition: Template, context: Context) -> bool | None:
    """Whether a condition holds. GitHub takes text around an expression as a text, which is always true."""
    if len(condition) == 1 and isinstance(condition[0], Node):
        return truth(evaluate(condition[0], context))
    return bool(condition)


def rendered(template: Template, context: Context) -> tuple[str | Unknown, ...]:
    """The parts of a text with the values of its expressions; neighbouring texts are one."""
    parts: list[str | Unknown] = []
    for part in template:
        value = part if isinstance(part, str) else evaluate(part, context)
        shown = value if isinstance(value, Unknown) else as_text(value)
        if parts and isinstance(shown, str) and isinstance(parts[-1], str):
            parts[-1] += shown
        else:
            parts.append(shown)
    return tuple(part for part in parts if part != "") or ("",)


def are_equal_texts(one: Sequence[str | Unknown], other: Sequence[str | Unknown]) -> bool | None:
    """Whether two rendered texts are equal, without regard to case; None if that cannot be told."""
    both = (*one, *other)
    if any(isinstance(part, Unknown) and part.is_distinct for part in both):
        return False
    if [_shape(part) for part in one] == [_shape(part) for part in other]:
        return [_folded(part) for part in one] == [_folded(part) for part in other]
    return None if any(isinstance(part, Unknown) for part in both) else False


def _shape(part: str | Unknown) -> object:
    """Unknown parts with one symbol are equal. Without a symbol, a part is like no other."""
    if isinstance(part, str):
        return str
    return part.symbol or object()


def _folded(part: str | Unknown) -> str:
    return part.casefold() if isinstance(part, str) else str(part.symbol)


def as_text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | int):
        return str(int(value)) if math.isfinite(value) and value == int(value) else repr(value)
    if isinstance(value, list):
        return "Array"
    return "Object" if isinstance(value, Object) else str(value)


def _symbol(what: str, *values: Value) -> str | None:
    """What names the result of an operation; None if it may differ from run to run."""
    shown = [what]
    for value in values:
        if isinstance(value, Unknown):
            if value.symbol is None or value.is_distinct:
                return None
            shown.append(value.symbol)
        else:
            shown.append(repr(value))
    symbol = " ".join(shown)
    return symbol if len(symbol) <= _LONGEST_SYMBOL else None


def _chosen(node: Node, context: Context) -> Value:
    """`a || b` is the first value that counts as true, `a && b` the first that does not; else the last."""
    stops_at = node.kind == "||"
    left = evaluate(node.parts[0], context)
    known = truth(left)
    if known is stops_at:
        return left
    right = evaluate(node.parts[1], context)
    if known is not None:
        return right
    return Unknown(_symbol(node.kind, left, right), truth=stops_at if truth(right) is stops_at else None)


def _index(value: Value, key: Value) -> Value:
    if isinstance(value, Unknown):
        return Unknown() if isinstance(key, Unknown | list | Object) else value.member(as_text(key).lower())
    if isinstance(key, Unknown):
        return Unknown() if isinstance(value, Object | list) else None
    if isinstance(value, Object):
        name = as_text(key).lower()
        rest = value.rest.member(name) if isinstance(value.rest, Unknown) else value.rest
        return value.fields.get(name, rest)
    if isinstance(value, list) and isinstance(key, float) and 0 <= key < len(value):
        return value[int(key)]
    if isinstance(value, list) and isinstance(key, str):  # after `.*`: this member of each entry
        return [_index(entry, key) for entry in value]
    return None


def _members(value: Value) -> Value:
    if isinstance(value, Object):
        return Unknown() if isinstance(value.rest, Unknown) else list(value.fields.values())
    return value if isinstance(value, list | Unknown) else []


def _compared(sign: str, left: Value, right: Value) -> Value:
    unknown = [value for value in (left, right) if isinstance(value, Unknown)]
    if unknown:
        others = [value for value in (left, right) if not isinstance(value, Unknown)]
        is_apart = unknown[0].is_name and others and _is_no_name(others[0])
        if is_apart and sign in ("==", "!="):
            return sign == "!="
        return Unknown(_symbol(sign, left, right))
    equal = _are_equal(left, right)
    if sign in ("==", "!="):
        return equal if sign == "==" or equal is None else not equal
    if isinstance(left, str) and isinstance(right, str):
        return _ordered(sign, left.casefold(), right.casefold())
    return _ordered(sign, _as_number(left), _as_number(right))


def _is_no_name(value: Value) -> bool:
    """Whether a value never equals a text that is neither empty nor a number."""
    return not isinstance(value, str) or not math.isnan(_as_number(value))


def _ordered(sign: str, left: str | float, right: str | float) -> bool:
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[sign]  # type: ignore[operator]


def _are_equal(left: Value, right: Value) -> bool:
    """Loosely, as GitHub compares: texts without regard to case, different types as numbers."""
    if isinstance(left, str) and isinstance(right, str):
        return left.casefold() == right.casefold()
    if isinstance(left, list | Object) or isinstance(right, list | Object):
        return left is right
    return _as_number(left) == _as_number(right)


def _as_number(value: Value) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool | float | int):
        return float(value)
    if not isinstance(value, str):
        return math.nan
    text = value.strip()
    try:
        return float(text) if not text[:1].isalpha() and "_" not in text else math.nan
    except ValueError:
        return math.nan if text else 0.0


def _called(name: str, node: Node, context: Context) -> Value:
    if name in ("success", "failure", "cancelled"):
        return context.get(f"{name}()", Unknown())
    if name == "always":
        return True
    function = _FUNCTIONS.get(name)
    if function is None or not node.parts:
        return Unknown()
    values = [evaluate(part, context) for part in node.parts]
    found = function(values)
    if isinstance(found, Unknown) and name != "hashfiles":
        return found._replace(symbol=_symbol(name, *values))
    return found


def _contains(values: list[Value]) -> Value:
    searched, item = values[0], values[-1]
    if isinstance(searched, Unknown):
        return Unknown()
    if isinstance(searched, list):
        answers = [_compared("==", entry, item) for entry in searched]
        if True in answers:
            return True
        return Unknown() if any(isinstance(answer, Unknown) for answer in answers) else False
    if isinstance(item, Unknown):
        return False if not searched and item.is_name else Unknown()
    if isinstance(searched, Object) or isinstance(item, list | Object):
        return False
    return as_text(item).casefold() in as_text(searched).casefold()


def _starts(values: list[Value]) -> Value:
    return _about_texts(values, str.startswith)


def _ends(values: list[Value]) -> Value:
    return _about_texts(values, str.endswith)


def _about_texts(values: list[Value], ask: Callable[[str, str], bool]) -> Value:
    if any(isinstance(value, Unknown) for value in values):
        return Unknown()
    return ask(as_text(values[0]).casefold(), as_text(values[-1]).casefold())


def _format(values: list[Value]) -> Value:
    if any(isinstance(value, Unknown) for value in values):
        return Unknown()
    text = as_text(values[0]).replace("{{", "\0").replace("}}", "\1")
    for place, value in enumerate(values[1:]):
        text = text.replace(f"{{{place}}}", as_text(value))
    return text.replace("\0", "{").replace("\1", "}")


def _join(values: list[Value]) -> Value:
    found = values[0]
    entries = found if isinstance(found, list) else [found]
    if any(isinstance(value, Unknown) for value in (*entries, *values)):
        return Unknown()
    return (as_text(values[1]) if len(values) > 1 else ",").join(map(as_text, entries))


def _from_json(values: list[Value]) -> Value:
    if len(values) != 1 or not isinstance(values[0], str):
        return Unknown()
    try:
        return from_plain(json.loads(values[0]))
    except (ValueError, RecursionError):
        return Unknown()


def _to_json(values: list[Value]) -> Value:
    value = values[0]
    return json.dumps(value) if isinstance(value, bool | str) or value is None else Unknown()


def _unknown(_: list[Value]) -> Value:
    return Unknown()


_FUNCTIONS: Mapping[str, Callable[[list[Value]], Value]] = {
    "contains": _contains,
    "startswith": _starts,
    "endswith": _ends,
    "format": _format,
    "join": _join,
    "fromjson": _from_json,
    "tojson": _to_json,
    "hashfiles": _unknown,
}


def from_plain(value: object) -> Value:
    """A value of JSON as a value of expressions."""
    if isinstance(value, dict):
        return Object({str(key).lower(): from_plain(member) for key, member in value.items()})
    if isinstance(value, list):
        return [from_plain(entry) for entry in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return value if isinstance(value, str | bool) else None
