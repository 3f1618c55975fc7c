"""The value of a YAML scalar: text, number, boolean, null, date or bytes."""

from __future__ import annotations

from typing import Any, Final

import yaml
from yaml.constructor import SafeConstructor
from yaml.nodes import ScalarNode

from mergecast.configuration.yaml.values import InvalidYaml, one_based

# Python refuses to convert or print numbers of more than 4300 digits.
LONGEST_NUMBER = 3000

CORE = "tag:yaml.org,2002:"
_STR, _MERGE_TAG = f"{CORE}str", f"{CORE}merge"
_SCALAR_TAGS = frozenset(f"{CORE}{name}" for name in ("int", "float", "bool", "null", "timestamp", "binary"))
_IMPLICIT = yaml.SafeLoader.yaml_implicit_resolvers
_CONSTRUCTOR = SafeConstructor()
MERGE: Final = object()  # the value of a plain `<<`


def read_scalar(event: Any) -> Any:
    """The value of a scalar event, or MERGE; raises InvalidYaml."""
    tag, value = event.tag, event.value
    if "\0" in value:
        raise InvalidYaml("the character U+0000 is not allowed", one_based(event.start_mark))
    if tag is None:
        if not event.implicit[0] or (tag := _tag_of_plain(value)) is _STR:
            return value
    elif tag in ("!", _STR):
        return value
    if tag == _MERGE_TAG and event.implicit[0]:
        return MERGE
    if tag not in _SCALAR_TAGS:
        raise unknown_tag(event, tag)
    return _constructed(event, tag)


def _tag_of_plain(value: str) -> str:
    for tag, pattern in _IMPLICIT.get(value[:1], ()):
        if pattern.match(value):
            return str(tag)
    return _STR


def _constructed(event: Any, tag: str) -> Any:
    """A number, boolean, null, date or bytes; PyYAML's constructors raise plain Python errors."""
    mark = one_based(event.start_mark)
    if len(event.value) > LONGEST_NUMBER and tag != f"{CORE}binary":
        raise InvalidYaml("this number is too long", mark)
    node = ScalarNode(tag, event.value, event.start_mark, event.end_mark)
    try:
        return SafeConstructor.yaml_constructors[tag](_CONSTRUCTOR, node)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, yaml.YAMLError):
        name = tag.removeprefix(CORE)
        raise InvalidYaml(
            f"`{event.value[:100]}` is not a valid {name}; put it in quotes to make it a string", mark
        ) from None


def unknown_tag(event: Any, tag: str | None = None) -> InvalidYaml:
    shown = (tag or event.tag).replace(CORE, "!!")
    reason = f"unknown tag {shown}; put a string that starts with `!`, `=` or `<<` in quotes"
    return InvalidYaml(reason, one_based(event.start_mark))
