"""Globs: what they match, and how fast."""

import re
import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.language.conditions.errors import InvalidGlob
from mergecast.language.conditions.globs import compile_glob

MATCHES = [
    ("src/*.py", "src/a.py", True),
    ("src/*.py", "src/x/a.py", False),
    ("*.md", "README.md", True),
    ("*.md", ".md", True),
    ("*.md", "docs/x.md", False),
    ("*", ".hidden", True),
    ("*", "", False),
    ("a/*", "a/", False),
    ("a*", "a", True),
    ("**", "", True),
    ("**", "a/.b/c", True),
    ("**/x", "x", True),
    ("**/x", "a/b/x", True),
    ("**/x", "ax", False),
    ("**/**/x", "x", True),
    ("src/**", "src/a/b", True),
    ("src/**", "src/", True),
    ("src/**", "src", False),
    ("assets/**/*", "assets/a", True),
    ("assets/**/*", "assets/a/b", True),
    ("assets/**/*", "assets/", False),
    ("a/**/b/**/c", "a/b/c", True),
    ("a/**/b/**/c", "a/x/b/y/b/z/c", True),
    ("a/**/b/**/c", "a/c", False),
    ("src/**/*.{py,pyi}", "src/a/b.py", True),
    ("a**b", "axyb", True),
    ("a**b", "ax/yb", False),
    ("a?c", "abc", True),
    ("a?c", "a/c", False),
    ("a\nb*", "a\nb\n", True),
    ("[ab]c", "bc", True),
    ("[a-c]d", "bd", True),
    ("[c-a]d", "bd", False),
    ("[!c-a]d", "bd", True),
    ("[!a]c", "bc", True),
    ("[!a]c", "ac", False),
    ("[^a]c", "^c", True),
    ("[^a]c", "bc", False),
    ("[]]", "]", True),
    ("[!]]", "x", True),
    ("[a-]", "-", True),
    ("[*]", "*", True),
    ("[*]", "a", False),
    ("[", "[", True),
    ("a[b", "a[b", True),
    ("x[!a]y", "x/y", False),
    ("a\\*", "a\\x", True),
    ("A", "a", False),
    ("a.c", "abc", False),
    ("{a,b{c,d}}", "a", True),
    ("{a,b{c,d}}", "bd", True),
    ("{a,b{c,d}}", "b", False),
    ("foo{,.txt}", "foo", False),
    ("foo{,.txt}", "foo.txt", True),
    ("{x}", "x", True),
    ("{1..3}", "2", False),
    ("{1..3}", "1..3", True),
    ("{}", "", False),
    ("a{,}", "a", False),
    ("\\{a\\}", "{a}", True),
    ("{a\\,b,c}", "a,b", True),
    ("a\\,b", "a,b", True),
    ("[{]x[}]", "{x}", True),
    ("a,b", "a,b", True),
    ("{src,tests}/**", "tests/a", True),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), MATCHES)
def test_a_glob_matches_the_whole_text(pattern: str, text: str, expected: bool) -> None:  # noqa: FBT001
    """Segments, stars, sets and alternatives."""
    assert expected is compile_glob(pattern).matches(text)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a{b", "Invalid glob pattern 'a{b': unbalanced brace"),
        ("a}b", "Invalid glob pattern 'a}b': unbalanced brace"),
        ("{{a}", "Invalid glob pattern '{{a}': unbalanced brace"),
        ("{a,b}" * 8, f"Invalid glob pattern '{'{a,b}' * 8}': expands to more than 128 patterns"),
        (
            "{" * 33 + "a" + "}" * 33,
            f"Invalid glob pattern '{'{' * 33}a{'}' * 33}': nested too deeply",
        ),
        (
            "{a,b}" + "x" * 40_000,
            f"Invalid glob pattern '{{a,b}}{'x' * 75}…': expands to more than 65536 characters",
        ),
        ("x" * 70_000, f"Invalid glob pattern '{'x' * 80}…': longer than 65536 characters"),
    ],
)
def test_a_glob_that_cannot_be_expanded_is_an_error(pattern: str, reason: str) -> None:
    """The message shows as much of the pattern as fits."""
    with pytest.raises(InvalidGlob) as caught:
        compile_glob(pattern)

    assert reason == caught.value.reason


@pytest.mark.parametrize("pattern", ["{a,b}" * 7, "{" * 32 + "a" + "}" * 32])
def test_the_limits_themselves_are_allowed(pattern: str) -> None:
    """128 patterns and 32 levels."""
    assert compile_glob(pattern).alternatives


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("*a" * 500 + "b", "a" * 20_000),
        ("**/a/" * 300 + "b", "a/" * 10_000),
        ("**/*a*a*/" * 100 + "b", "aaaa/" * 4_000),
        ("{a,b}" * 100_0 + "{}", "x"),
        ("{" + "*a*a*b," * 100 + "b}", "a" * 20_000),
        ("[" * 60_000, "x"),
        ("[" * 30_000 + "]" * 30_000, "x"),
        ("x" * 60_000, "y"),
        ("?" * 10_000 + "*", "x" * 20_000),
    ],
)
def test_a_hostile_glob_matches_quickly(pattern: str, text: str) -> None:
    """No pattern takes exponential time, so matching needs no time limit."""
    start = time.thread_time()

    assert not compile_glob(pattern).matches(text) or pattern.startswith("?")

    assert time.thread_time() - start < 20


def _naive(pattern: str) -> re.Pattern[str]:
    """A plain implementation of the rules, without braces and sets."""
    segments = re.sub(r"(?:(?<=^)|(?<=/))(?:\*\*/)+", "**/", pattern).split("/")
    parts = []
    for place, segment in enumerate(segments):
        is_last = place == len(segments) - 1
        if segment == "**":
            parts.append(".*" if is_last else "(?:.+/)?")
            continue
        body = "[^/]+" if segment == "*" else "".join(_letter(letter) for letter in segment)
        parts.append(body if is_last else f"{body}/")
    return re.compile("".join(parts), re.DOTALL)


def _letter(letter: str) -> str:
    return {"*": "[^/]*", "?": "[^/]"}.get(letter, re.escape(letter))


_SEGMENT = st.one_of(st.just("**"), st.just("*"), st.text("ab*?", min_size=1, max_size=5))
_PATH = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6).map("/".join)


@given(st.lists(_SEGMENT, min_size=1, max_size=5).map("/".join), _PATH)
def test_a_glob_matches_like_a_plain_implementation(pattern: str, path: str) -> None:
    """Atomic groups change the time, not the result."""
    assert (_naive(pattern).fullmatch(path) is not None) is compile_glob(pattern).matches(path)


_BRANCHES = st.lists(st.text("ab", max_size=2), min_size=1, max_size=3)


@given(st.lists(st.one_of(st.text("ab", max_size=2), _BRANCHES), max_size=4))
def test_braces_expand_to_every_alternative(parts: list[str | list[str]]) -> None:
    """In order, without empty branches."""
    pattern = "".join(part if isinstance(part, str) else "{" + ",".join(part) + "}" for part in parts)
    choices = [[part] if isinstance(part, str) else [branch for branch in part if branch] for part in parts]

    expected = ["".join(choice) for choice in product(*choices)]

    assert expected == ["".join(pieces) for pieces in compile_glob(pattern).alternatives]
