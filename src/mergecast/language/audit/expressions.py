"""Parses GitHub's expressions, and templates: texts that contain expressions between `${{` and `}}`."""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["literal", "name", "index", "star", "call", "!", "compare", "&&", "||"]
DEEPEST = 50
_LONGEST_NUMBER = 200  # digits; a float holds no longer one in hexadecimal
LONGEST = 21_000  # characters; GitHub refuses longer expressions

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.]))"
    r"|(?P<name>[A-Za-z_][\w-]*)"
    r"|'(?P<text>(?:[^']|'')*)'"
    r"|(?P<sign>&&|\|\||==|!=|<=|>=|[<>!().,*\[\]]))"
)
_WORDS: dict[str, bool | float | None] = {
    "null": None,
    "true": True,
    "false": False,
    "nan": float("nan"),
    "infinity": float("inf"),
}
_COMPARISONS = (("==", "!="), ("<", "<=", ">", ">="))


class NotAnExpression(Exception):
    """The text is not an expression that GitHub would accept."""


class Node(NamedTuple):
    """A part of an expression. `value` is a literal's value, a name, the name of a function or a sign."""

    kind: Kind
    value: bool | float | str | None = None
    parts: tuple["Node", ...] = ()

    def walk(self) -> list["Node"]:
        """This part and all that it contains."""
        found = [self]
        for node in found:
            found += node.parts
        return found


Template = tuple[str | Node, ...]  # literal texts and expressions, in their order


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None or match.end() == place:
                raise NotAnExpression(f"`{text[place : place + 20].strip()}` cannot be read")
            self._tokens.append((str(match.lastgroup), str(match[str(match.lastgroup)])))
            place = match.end()
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._either()
        if self._at < len(self._tokens):
            raise NotAnExpression(f"`{self._tokens[self._at][1]}` is not expected here")
        return node

    def _takes(self, *signs: str) -> str | None:
        if self._at < len(self._tokens) and self._tokens[self._at][0] == "sign":
            sign = self._tokens[self._at][1]
            if sign in signs:
                self._at += 1
                return sign
        return None

    def _expects(self, sign: str) -> None:
        if not self._takes(sign):
            raise NotAnExpression(f"`{sign}` is missing")

    def _either(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotAnExpression(f"nested deeper than {DEEPEST} levels")
        node = self._both()
        while self._takes("||"):
            node = Node("||", None, (node, self._both()))
        self._depth -= 1
        return node

    def _both(self) -> Node:
        node = self._compared(0)
        while self._takes("&&"):
            node = Node("&&", None, (node, self._compared(0)))
        return node

    def _compared(self, level: int) -> Node:
        if level == len(_COMPARISONS):
            return self._negated()
        node = self._compared(level + 1)
        while sign := self._takes(*_COMPARISONS[level]):
            node = Node("compare", sign, (node, self._compared(level + 1)))
        return node

    def _negated(self) -> Node:
        count = 0
        while self._takes("!"):
            count += 1
        node = self._indexed()
        for _ in range(min(count, 2 + count % 2)):
            node = Node("!", None, (node,))
        return node

    def _indexed(self) -> Node:
        node = self._single()
        while True:
            if self._takes("."):
                if self._takes("*"):
                    node = Node("star", None, (node,))
                    continue
                kind, name = self._next()
                if kind != "name":
                    raise NotAnExpression(f"a name is missing before `{name}`")
                node = Node("index", None, (node, Node("literal", name)))
            elif self._takes("["):
                if self._takes("*"):
                    node = Node("star", None, (node,))
                else:
                    node = Node("index", None, (node, self._either()))
                self._expects("]")
            else:
                return node

    def _single(self) -> Node:
        if self._takes("("):
            node = self._either()
            self._expects(")")
            return node
        kind, text = self._next()
        match kind:
            case "number":
                return Node("literal", _number(text))
            case "text":
                return Node("literal", text.replace("''", "'"))
            case "name" if self._takes("("):
                return Node("call", text.lower(), self._arguments())
            case "name" if text.lower() in _WORDS:
                return Node("literal", _WORDS[text.lower()])
            case "name":
                return Node("name", text.lower())
        raise NotAnExpression(f"`{text}` is not expected here")

    def _arguments(self) -> tuple[Node, ...]:
        if self._takes(")"):
            return ()
        found = [self._either()]
        while self._takes(","):
            found.append(self._either())
        self._expects(")")
        return tuple(found)

    def _next(self) -> tuple[str, str]:
        if self._at == len(self._tokens):
            raise NotAnExpression("the expression ends too early")
        self._at += 1
        return self._tokens[self._at - 1]


def _number(text: str) -> float:
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if digits[:2] in ("0x", "0o"):
        return sign * float(int(digits, 0)) if len(digits) < _LONGEST_NUMBER else sign * float("inf")
    return sign * float(digits)


@lru_cache(maxsize=4096)
def parse(text: str) -> Node:
    """The expression in a text without `${{` and `}}`; raises `NotAnExpression`."""
    if len(text) > LONGEST:
        raise NotAnExpression(f"longer than {LONGEST} characters")
    return _Parser(text).whole()


@lru_cache(maxsize=4096)
def parse_template(text: str) -> Template:
    """The parts of a text that may contain expressions; raises `NotAnExpression`."""
    parts: list[str | Node] = []
    place = 0
    while (start := text.find("${{", place)) >= 0:
        if start > place:
            parts.append(text[place:start])
        end = _end_of_expression(text, start + 3)
        parts.append(parse(text[start + 3 : end].strip()))
        place = end + 2
    if place < len(text):
        parts.append(text[place:])
    return tuple(parts)


def parse_condition(text: str) -> Template:
    """The text of an `if`, which is an expression also without `${{` and `}}`; raises `NotAnExpression`."""
    return parse_template(text.strip()) if "${{" in text else (parse(text),)


def _end_of_expression(text: str, start: int) -> int:
    is_quoted = False
    for place in range(start, len(text)):
        if text[place] == "'":
            is_quoted = not is_quoted
        elif not is_quoted and text.startswith("}}", place):
            return place
    raise NotAnExpression("`}}` is missing")
