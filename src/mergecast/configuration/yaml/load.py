"""YAML text → plain values that remember where they were written.

The loader's own composer is not used: it recurses in C, so that a megabyte of `[` kills the process, and
it expands merge keys before anything can be counted. Events come one by one, and depth and size are counted
on the way. Only texts, numbers, booleans, nulls, dates, bytes, mappings and lists can come out.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import yaml
from yaml.constructor import SafeConstructor
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.nodes import ScalarNode

from mergecast.configuration.errors import NotYaml

DEEPEST = 100
MOST_NODES = 200_000
# Python itself refuses to convert or to show numbers of more than 4300 digits.
LONGEST_NUMBER = 3000

_CORE = "tag:yaml.org,2002:"
_STR, _MERGE_TAG = f"{_CORE}str", f"{_CORE}merge"
_SCALAR_TAGS = frozenset(f"{_CORE}{name}" for name in ("int", "float", "bool", "null", "timestamp", "binary"))
_COLLECTION_TAGS = frozenset(f"{_CORE}{name}" for name in ("map", "seq", "set", "omap", "pairs"))
_IMPLICIT = yaml.SafeLoader.yaml_implicit_resolvers
_CONSTRUCTOR = SafeConstructor()
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_MERGE: Final = object()
_NO_KEY: Final = object()


class Mark(NamedTuple):
    """A place in the text; both count from 1."""

    line: int
    column: int


class YamlMapping(dict[Any, Any]):
    """A mapping that knows where it begins and where each of its keys and values stand."""

    __slots__ = ("places", "start")

    def __init__(self, start: Any) -> None:
        super().__init__()
        self.start = start
        self.places: dict[Any, tuple[Any, Any]] = {}


class YamlList(list[Any]):
    """A list that knows where it begins and where each of its items stands."""

    __slots__ = ("places", "start")

    def __init__(self, start: Any) -> None:
        super().__init__()
        self.start = start
        self.places: list[Any] = []


class InvalidYaml(Exception):
    """The text cannot be loaded."""

    def __init__(self, reason: str, mark: Mark) -> None:
        super().__init__(reason)
        self.error = NotYaml(f"Invalid YAML: {reason}", (), mark.line, mark.column)


def load_yaml(text: str) -> Any:
    """The value of the one document in the text; None when there is none."""
    if bad := _UNPRINTABLE.search(text.removeprefix("\ufeff")):
        place = bad.start() + (text[:1] == "\ufeff")
        raise InvalidYaml(f"the character {_named(bad[0])} is not allowed", mark_at(text, place))
    loader = yaml.CSafeLoader(text)
    try:
        return _Builder().build(loader)
    except yaml.MarkedYAMLError as error:
        raise InvalidYaml(_explained(error), one_based(error.problem_mark or error.context_mark)) from None
    except yaml.YAMLError as error:
        raise InvalidYaml(" ".join(str(error).split()), Mark(1, 1)) from None
    finally:
        loader.dispose()


def one_based(mark: Any) -> Mark:
    return Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)


def mark_at(text: str, offset: int) -> Mark:
    before = text[:offset].splitlines(keepends=True) or [""]
    if before[-1].endswith(("\n", "\r")):
        return Mark(len(before) + 1, 1)
    return Mark(len(before), len(before[-1]) + 1)


class _Frame:
    """A mapping or list that is being filled."""

    __slots__ = ("anchor", "key", "key_mark", "merges", "size", "value")

    def __init__(self, value: YamlMapping | YamlList, anchor: str | None) -> None:
        self.value, self.anchor = value, anchor
        self.key: Any = _NO_KEY
        self.key_mark: Any = None
        self.merges: list[tuple[Any, Any]] = []
        self.size = 1


class _Builder:
    """Puts events together; never recurses."""

    def __init__(self) -> None:
        self._open: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int, Any]] = {}
        self._root: Any = None
        self._nodes = 0
        self._documents = 0

    def build(self, loader: yaml.CSafeLoader) -> Any:
        while loader.check_event():
            event: Any = loader.get_event()
            kind = type(event)
            if kind is ScalarEvent:
                self._finish(_scalar(event), 1, event.start_mark, event.anchor)
            elif kind is MappingStartEvent:
                self._begin(YamlMapping(event.start_mark), event)
            elif kind is SequenceStartEvent:
                self._begin(YamlList(event.start_mark), event)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._end()
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is DocumentStartEvent:
                self._document(event)
        return self._root

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise InvalidYaml(
                "expected a single document, another one begins here", one_based(event.start_mark)
            )

    def _begin(self, value: YamlMapping | YamlList, event: Any) -> None:
        if event.tag and event.tag != "!" and event.tag not in _COLLECTION_TAGS:
            raise _unknown_tag(event)
        self._open.append(_Frame(value, event.anchor))
        if len(self._open) > DEEPEST:
            raise InvalidYaml(f"nested deeper than {DEEPEST} levels", one_based(event.start_mark))

    def _end(self) -> None:
        frame = self._open.pop()
        value = frame.value
        if isinstance(value, YamlMapping) and frame.merges:
            value = self._merged(value, frame)
        self._finish(value, frame.size, value.start, frame.anchor)

    def _alias(self, event: Any) -> None:
        known = self._anchors.get(event.anchor)
        if known is None:
            inside = any(frame.anchor == event.anchor for frame in self._open)
            reason = f"the alias *{event.anchor} stands inside what it stands for"
            if not inside:
                reason = f"found undefined alias '{event.anchor}'; no &{event.anchor} stands before it"
            raise InvalidYaml(reason, one_based(event.start_mark))
        value, size, mark = known
        self._count(size, event.start_mark)
        # What is wrong with the value is wrong where it is written, not where it is used.
        self._hold(value, size, mark)

    def _finish(self, value: Any, size: int, mark: Any, anchor: str | None) -> None:
        """A value is complete: give it to whatever holds it."""
        if anchor is not None:
            self._anchors[anchor] = value, size, mark
        self._count(1, mark)
        self._hold(value, size, mark)

    def _hold(self, value: Any, size: int, mark: Any) -> None:
        if not self._open:
            self._root = None if value is _MERGE else value
            return
        frame = self._open[-1]
        frame.size += size
        if frame.key is _NO_KEY and isinstance(frame.value, YamlMapping):
            frame.key, frame.key_mark = _key(value, mark), mark
        elif value is _MERGE:
            raise InvalidYaml("`<<` is a key; put it in quotes to have it as a text", one_based(mark))
        elif isinstance(frame.value, YamlList):
            frame.value.append(value)
            frame.value.places.append(mark)
        else:
            _fill(frame, value, mark)

    def _count(self, nodes: int, mark: Any) -> None:
        self._nodes += nodes
        if self._nodes > MOST_NODES:
            reason = f"document too large once aliases are expanded, more than {MOST_NODES} values"
            raise InvalidYaml(reason, one_based(mark))

    def _merged(self, own: YamlMapping, frame: _Frame) -> YamlMapping:
        """What `<<` brings comes first, so that the mapping's own keys win."""
        result = YamlMapping(own.start)
        for value, mark in frame.merges:
            sources = reversed(value) if isinstance(value, YamlList) else [value]
            for source in sources:
                if not isinstance(source, YamlMapping):
                    raise InvalidYaml("`<<` takes a mapping or a list of mappings", one_based(mark))
                self._count(len(source), mark)
                overlay(result, source)
        overlay(result, own)
        frame.size += len(result)
        return result


def overlay(target: YamlMapping, source: YamlMapping) -> None:
    """Write the source's entries over the target's, each with the place where it is written."""
    target.update(source)
    target.places.update(source.places)


def _fill(frame: _Frame, value: Any, mark: Any) -> None:
    mapping = frame.value
    if frame.key is _MERGE:
        frame.merges.append((value, mark))
    elif isinstance(mapping, YamlMapping):
        mapping[frame.key] = value
        mapping.places[frame.key] = (frame.key_mark, mark)
    frame.key = _NO_KEY


def _key(value: Any, mark: Any) -> Any:
    if isinstance(value, dict | list):
        reason = (
            "a key cannot be a mapping or a list; a text that begins with a brace or bracket needs quotes"
        )
        raise InvalidYaml(reason, one_based(mark))
    return value


def _scalar(event: Any) -> Any:
    tag, value = event.tag, event.value
    if "\0" in value:
        raise InvalidYaml("the character U+0000 is not allowed", one_based(event.start_mark))
    if tag is None:
        if not event.implicit[0] or (tag := _tag_of_plain(value)) is _STR:
            return value
    elif tag in ("!", _STR):
        return value
    if tag == _MERGE_TAG and event.implicit[0]:
        return _MERGE
    if tag not in _SCALAR_TAGS:
        raise _unknown_tag(event, tag)
    return _constructed(event, tag)


def _tag_of_plain(value: str) -> str:
    for tag, pattern in _IMPLICIT.get(value[:1], ()):
        if pattern.match(value):
            return str(tag)
    return _STR


def _constructed(event: Any, tag: str) -> Any:
    """A number, boolean, null, date or bytes; the constructors fail with plain Python errors."""
    mark = one_based(event.start_mark)
    if len(event.value) > LONGEST_NUMBER and tag != f"{_CORE}binary":
        raise InvalidYaml("this number is too long", mark)
    node = ScalarNode(tag, event.value, event.start_mark, event.end_mark)
    try:
        return SafeConstructor.yaml_constructors[tag](_CONSTRUCTOR, node)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, yaml.YAMLError):
        name = tag.removeprefix(_CORE)
        raise InvalidYaml(
            f"`{event.value[:100]}` is not a valid {name}; put a text in quotes", mark
        ) from None


def _unknown_tag(event: Any, tag: str | None = None) -> InvalidYaml:
    shown = (tag or event.tag).replace(_CORE, "!!")
    reason = f"the tag {shown} is not known here; put a text that begins with `!`, `=` or `<<` in quotes"
    return InvalidYaml(reason, one_based(event.start_mark))


def _named(character: str) -> str:
    return f"U+{ord(character):04X}"


_HINTS = {
    "mapping values are not allowed in this context": "put a text that contains `: ` in quotes",
    "found character that cannot start any token": (
        "indent with blanks, not tabs; put a text that begins with `@`, `%` or a backtick in quotes"
    ),
    "did not find expected key": (
        "check the indentation, and put a text that has quotes inside in other quotes"
    ),
    "did not find expected '-' indicator": "check the indentation of this list",
}


def _explained(error: yaml.MarkedYAMLError) -> str:
    problem = " ".join((error.problem or "the text cannot be read").split())
    context = f" {' '.join(error.context.split())}" if error.context else ""
    hint = _HINTS.get(problem)
    return f"{problem}{context}; {hint}" if hint else f"{problem}{context}"
