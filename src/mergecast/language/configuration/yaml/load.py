"""Load YAML text into plain values that remember their positions.

PyYAML's own composer is not used: it recurses in C, so that a megabyte of `[` kills the process, and it
expands merge keys before anything can be counted. This module reads events one by one and counts depth and
size as it goes. The result has only texts, numbers, booleans, nulls, dates, bytes, mappings and lists.
"""

import re
from collections.abc import Callable
from functools import cached_property
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

from mergecast.language.configuration.errors import DocumentError, Place, as_text, one_line
from mergecast.language.configuration.yaml.diagnosis import diagnose, never_closed, swallows_structure
from mergecast.language.configuration.yaml.values import (
    InvalidYaml,
    Mark,
    YamlList,
    YamlMapping,
    mark_at,
    one_based,
    overlay,
)

# Python refuses to convert or print numbers of more than 4300 digits.
LONGEST_NUMBER = 3000

CORE = "tag:yaml.org,2002:"
_STR, _MERGE_TAG = f"{CORE}str", f"{CORE}merge"
_SCALAR_TAGS = frozenset(f"{CORE}{name}" for name in ("int", "float", "bool", "null", "timestamp", "binary"))
_IMPLICIT = yaml.SafeLoader.yaml_implicit_resolvers
_CONSTRUCTOR = SafeConstructor()
MERGE: Final = object()  # the value of a plain `<<`
DEEPEST = 100
MOST_NODES = 200_000
MOST_DUPLICATES = 1000
_LONGEST_SHOWN = 100

_COLLECTION_TAGS = frozenset(f"{CORE}{name}" for name in ("map", "seq", "set", "omap", "pairs"))
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NO_KEY: Final = object()
_QUOTES = frozenset({"'", '"'})


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


class LoadedYaml(NamedTuple):
    """The value of the single document in a text (None if the text is empty), and its duplicate keys."""

    value: Any
    duplicate_keys: tuple[DocumentError, ...]


def load_yaml(text: str) -> LoadedYaml:
    """Load a text; raises InvalidYaml."""
    return _load(text, read_scalar)


def load_texts(text: str) -> Any:
    """Load a text with every scalar as it is written, for a reader that knows other types than YAML 1.1.

    Of a key that is repeated, the last value counts. Raises InvalidYaml.
    """
    return _load(text, _as_written).value


def _as_written(event: Any) -> str:
    if "\0" in event.value:
        raise InvalidYaml("the character U+0000 is not allowed", one_based(event.start_mark))
    return str(event.value)


def _load(text: str, read: Callable[[Any], Any]) -> LoadedYaml:
    if bad := _UNPRINTABLE.search(text.removeprefix("\ufeff")):
        place = bad.start() + (text[:1] == "\ufeff")
        raise InvalidYaml(f"the character U+{ord(bad[0]):04X} is not allowed", mark_at(text, place))
    loader = yaml.CSafeLoader(text)
    try:
        builder = _Builder(text, read)
        value = builder.build(loader)
        return LoadedYaml(value, tuple(builder.duplicate_keys))
    except yaml.MarkedYAMLError as error:
        cause = diagnose(text, error)
        raise InvalidYaml(cause.reason, Mark(cause.line, cause.column)) from None
    except yaml.YAMLError as error:
        raise InvalidYaml(" ".join(str(error).split()), Mark(1, 1)) from None
    finally:
        loader.dispose()


class _Frame:
    """A mapping or list whose end has not been read yet."""

    __slots__ = ("anchor", "duplicates", "key", "key_mark", "merges", "size", "value")

    def __init__(self, value: YamlMapping | YamlList, anchor: str | None) -> None:
        self.value, self.anchor = value, anchor
        self.key: Any = _NO_KEY
        self.key_mark: Any = None
        self.merges: list[tuple[Any, Any]] = []
        self.duplicates: dict[Any, Any] = {}  # the first position of each key that is repeated
        self.size = 1


class _Builder:
    """Builds the value from events, without recursion."""

    def __init__(self, text: str, read: Callable[[Any], Any]) -> None:
        self._text = text.removeprefix("\ufeff")
        self._read = read
        self._open: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int, Any]] = {}
        self._root: Any = None
        self._nodes = 0
        self._documents = 0
        self.duplicate_keys: list[DocumentError] = []

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.splitlines()

    def build(self, loader: yaml.CSafeLoader) -> Any:
        while loader.check_event():
            event: Any = loader.get_event()
            kind = type(event)
            if kind is ScalarEvent:
                if event.style in _QUOTES and event.start_mark.line != event.end_mark.line:
                    self._check_quote(event)
                self._finish(self._read(event), 1, event.start_mark, event.anchor)
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

    def _check_quote(self, event: Any) -> None:
        """A quote that is followed directly by `#` was meant to open a string: an earlier one is not closed.

        YAML requires a space before a comment; the parser does not, and would skip the rest of the line.
        """
        end = event.end_mark.index
        if self._text[end : end + 1] == "#" and swallows_structure(self._lines, event):
            raise InvalidYaml(never_closed(event.start_mark).reason, one_based(event.start_mark))

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise InvalidYaml(
                "expected a single document, but another one starts here", one_based(event.start_mark)
            )

    def _begin(self, value: YamlMapping | YamlList, event: Any) -> None:
        if event.tag and event.tag != "!" and event.tag not in _COLLECTION_TAGS:
            raise unknown_tag(event)
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
            reason = f"the alias *{event.anchor} is inside the value that it refers to"
            if not inside:
                reason = f"found undefined alias '{event.anchor}'; there is no &{event.anchor} before it"
            raise InvalidYaml(reason, one_based(event.start_mark))
        value, size, mark = known
        self._count(size, event.start_mark)
        # An error in the value is reported where it is written, not where it is used.
        self._hold(value, size, mark)

    def _finish(self, value: Any, size: int, mark: Any, anchor: str | None) -> None:
        """Add a complete value to its container."""
        if anchor is not None:
            self._anchors[anchor] = value, size, mark
        self._count(1, mark)
        self._hold(value, size, mark)

    def _hold(self, value: Any, size: int, mark: Any) -> None:
        if not self._open:
            self._root = None if value is MERGE else value
            return
        frame = self._open[-1]
        frame.size += size
        if frame.key is _NO_KEY and isinstance(frame.value, YamlMapping):
            frame.key, frame.key_mark = _key(value, mark), mark
        elif value is MERGE:
            raise InvalidYaml("`<<` is a key; put it in quotes to make it a string", one_based(mark))
        elif isinstance(frame.value, YamlList):
            frame.value.append(value)
            frame.value.places.append(mark)
        else:
            self._set(frame, value, mark)

    def _set(self, frame: _Frame, value: Any, mark: Any) -> None:
        mapping, key = frame.value, frame.key
        frame.key = _NO_KEY
        if key is MERGE:
            frame.merges.append((value, mark))
        elif isinstance(mapping, YamlMapping):
            if key in mapping and len(self.duplicate_keys) < MOST_DUPLICATES:
                first = frame.duplicates.setdefault(key, mapping.places[key][0])
                self.duplicate_keys.append(self._duplicate(key, frame.key_mark, first))
            mapping[key] = value
            mapping.places[key] = (frame.key_mark, mark)

    def _duplicate(self, key: Any, mark: Any, first: Any) -> DocumentError:
        """The last value counts, as in other loaders, so that the rest of the document can be validated."""
        shown = one_line(as_text(key))[:_LONGEST_SHOWN]
        message = f"Duplicate key: `{shown}` is already set on line {first.line + 1}; keep only one of them"
        if len(self._open) > 1 and isinstance(self._open[-2].value, YamlList):
            message = f"{message}, or start a new list item with `- `"
        return DocumentError(message, (*self._place(), as_text(key)), *one_based(mark))

    def _place(self) -> Place:
        """Where the mapping that is being filled is."""
        return tuple(
            len(frame.value) if isinstance(frame.value, YamlList) else as_text(frame.key)
            for frame in self._open[:-1]
        )

    def _count(self, nodes: int, mark: Any) -> None:
        self._nodes += nodes
        if self._nodes > MOST_NODES:
            reason = f"document too large once aliases are expanded, more than {MOST_NODES} values"
            raise InvalidYaml(reason, one_based(mark))

    def _merged(self, own: YamlMapping, frame: _Frame) -> YamlMapping:
        """Apply the values of `<<` first, so that the mapping's own keys take precedence."""
        result = YamlMapping(own.start)
        for value, mark in frame.merges:
            sources = reversed(value) if isinstance(value, YamlList) else [value]
            for source in sources:
                if not isinstance(source, YamlMapping):
                    raise InvalidYaml(
                        "the value of `<<` must be a mapping or a list of mappings", one_based(mark)
                    )
                self._count(len(source), mark)
                overlay(result, source)
        overlay(result, own)
        frame.size += len(result)
        return result


def _key(value: Any, mark: Any) -> Any:
    if isinstance(value, dict | list):
        reason = (
            "a key cannot be a mapping or a list; put a string that starts with a brace or bracket in quotes"
        )
        raise InvalidYaml(reason, one_based(mark))
    return value
