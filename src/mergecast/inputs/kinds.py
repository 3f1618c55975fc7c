"""The usual kinds of values in bodies and queries."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from mergecast.inputs.field import Field, InvalidValue, Schema
from mergecast.queues.model.instant import NotAnInstant, parse_instant
from mergecast.queues.model.nearest import nearest
from mergecast.queues.model.showable import DIRECTION, INVISIBLE, WEB_ADDRESS, has_unshowable, is_blank

_DATE_TIME: Schema = {"type": "string", "format": "date-time"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_NO_CONTROL = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
_UNSHOWABLE = rf"\u0000-\u001f\u007f-\u009f\u2028\u2029{DIRECTION}"
# Without a lookahead, which RE2 and generators of test data cannot use.
_SHOWABLE = rf"^[^{_UNSHOWABLE}]*[^{_UNSHOWABLE}{INVISIBLE}][^{_UNSHOWABLE}]*$"
_NO_WEB = (
    "must be a URL that begins with https:// or http:// and a host, without a user or marks of direction"
)
_NO_DATE_TIME = "must be a date-time with a UTC offset, such as 2026-01-31T09:00:00Z"


def text(longest: int, *, is_nullable: bool = False, otherwise: str | None = None) -> Field:
    """A text that is not empty; `otherwise` is the message for other values."""
    ending = ", or null" if is_nullable else ""
    message = otherwise or f"must be a string of 1 to {longest} characters{ending}"

    def read(value: Any) -> str | None:
        if value is None and is_nullable:
            return None
        if not isinstance(value, str) or not 1 <= len(value) <= longest:
            raise InvalidValue(message)
        if "\0" in value:
            raise InvalidValue("must not contain the character NUL")
        if not value.isascii() and not _is_unicode(value):
            raise InvalidValue("must not contain half of a surrogate pair")
        return value

    type = ["string", "null"] if is_nullable else "string"
    return Field(read, {"type": type, "minLength": 1, "maxLength": longest})


def line(longest: int) -> Field:
    """A text without control characters, so that it fits on one line of a page or a terminal."""
    plain = text(longest)

    def read(value: Any) -> str:
        if isinstance(value, str) and len(value) <= longest and _CONTROL.search(value):
            raise InvalidValue("must not contain control characters")
        read_text: str = plain.read(value)
        return read_text

    return Field(read, {**plain.schema, "pattern": _NO_CONTROL})


def name(longest: int, *, is_nullable: bool = False) -> Field:
    """A text that people can see, and tell from other ones, on a page and in a terminal."""
    plain = text(longest, is_nullable=is_nullable)

    def read(value: Any) -> str | None:
        is_short = isinstance(value, str) and 1 <= len(value) <= longest
        if is_short and has_unshowable(value):
            raise InvalidValue("must not contain control, bidirectional or tag characters")
        if is_short and is_blank(value):
            raise InvalidValue("must not be blank")
        read_text: str | None = plain.read(value)
        return read_text

    return Field(read, {**plain.schema, "pattern": _SHOWABLE})


def web_address(longest: int) -> Field:
    """A URL that is safe to link to."""
    plain = text(longest)

    def read(value: Any) -> str:
        url: str = plain.read(value)
        if not WEB_ADDRESS.fullmatch(url):
            raise InvalidValue(_NO_WEB)
        return url

    return Field(read, {**plain.schema, "pattern": f"^{WEB_ADDRESS.pattern}$"})


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def matching(is_valid: Callable[[str], bool], longest: int, pattern: str, otherwise: str) -> Field:
    """A text that matches a pattern."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or not is_valid(value):
            raise InvalidValue(otherwise)
        return value

    return Field(read, {"type": "string", "minLength": 1, "maxLength": longest, "pattern": pattern})


def one_of(*choices: str) -> Field:
    known = frozenset(choices)

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            hint = partial(_meant, value, choices) if isinstance(value, str) else str
            raise InvalidValue(f"must be one of {', '.join(choices)}", hint)
        return value

    return Field(read, {"type": "string", "enum": list(choices)})


def _meant(written: str, choices: tuple[str, ...]) -> str:
    near = nearest(written, choices)
    return f"; did you mean {near}?" if near else ""


def integer(smallest: int, largest: int, *, named: str = "an integer") -> Field:
    def read(value: Any) -> int:
        if type(value) is not int or not smallest <= value <= largest:
            raise InvalidValue(f"must be {named} from {smallest} to {largest}")
        return value

    return Field(read, {"type": "integer", "minimum": smallest, "maximum": largest})


def number(smallest: float, largest: float, otherwise: str, *, is_nullable: bool = False) -> Field:
    """A number that may have decimals; `otherwise` is the message for other values."""

    def read(value: Any) -> float | None:
        if value is None and is_nullable:
            return None
        if type(value) not in (int, float) or not smallest <= value <= largest:
            raise InvalidValue(otherwise)
        return float(value)

    type_ = ["number", "null"] if is_nullable else "number"
    return Field(read, {"type": type_, "minimum": smallest, "maximum": largest})


def decimal(smallest: int, largest: int) -> Field:
    """An integer written in a path or a query."""

    def read(text: str) -> int:
        digits = text.lstrip("0") or text[:1]
        # A number of many digits would take long to convert.
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(largest))
        if not is_number or not smallest <= int(digits) <= largest:
            raise InvalidValue(f"must be a number from {smallest} to {largest}, in plain decimal digits")
        return int(digits)

    return Field(read, {"type": "integer", "minimum": smallest, "maximum": largest})


def instant(otherwise: str = _NO_DATE_TIME) -> Field:
    """A date-time; `otherwise` is the message for values that are not strings."""

    def read(value: Any) -> int:
        if not isinstance(value, str):
            raise InvalidValue(otherwise)
        try:
            return parse_instant(value)
        except NotAnInstant as error:
            raise InvalidValue(str(error)) from None

    return Field(read, _DATE_TIME)


def _boolean(value: Any) -> bool:
    if type(value) is not bool:
        raise InvalidValue("must be true or false")
    return value


def _written_boolean(text: str) -> bool:
    return _boolean({"true": True, "false": False}.get(text))


BOOLEAN = Field(_boolean, {"type": "boolean"})
WRITTEN_BOOLEAN = Field(_written_boolean, {"type": "boolean"})  # in a query
