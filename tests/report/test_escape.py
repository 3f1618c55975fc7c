"""Text of users is shown as it is everywhere, and is never more than text."""

import re
import unicodedata

import pytest
from hypothesis import given, settings

from mergecast.language.report.escape import (
    LINE_BREAK,
    NOTHING,
    cell_code,
    cell_prose,
    code,
    fenced,
    on_one_line,
    prose,
    visible,
)
from report.rendering import PLATFORM_LINKS, TEXTS, kinds, prose_text, shown, spans, tokens

PLACES = ["{}", "- {}", "> {}", "### {}", "### ~~Rule: {} (merge)~~", "- **{}**: word", "  - [ ] `x` [{}]"]
JOINERS = "\u200c\u200d"
CODE_IN_PROSE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_prose_is_only_text_and_code(place: str, text: str) -> None:
    """In every place the blocks are those of a harmless word, and the reader sees the text itself."""
    markdown = place.format(prose(text))
    expected = CODE_IN_PROSE.sub(r"\1", on_one_line(text)) or NOTHING

    assert kinds(markdown) == kinds(place.format("word"))
    assert _marks(markdown) == _marks(place.format("word"))
    assert shown(markdown) == shown(place.format("word", 1)).replace("word", expected, 1)
    assert not any(PLATFORM_LINKS.search(piece) for piece in prose_text(markdown))


def _marks(markdown: str) -> list[str]:
    return [span.type for span in spans(markdown) if span.type not in {"text", "code_inline"}]


@pytest.mark.parametrize("place", ["{}", "- [X] {}", "### Queue {}", "> a {} b"])
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_code_shows_exactly_the_text(place: str, text: str) -> None:
    """One code span, even with backticks, brackets or line breaks in the text."""
    markdown = place.format(code(text))
    found = [span.content for span in spans(markdown) if span.type == "code_inline"]

    assert found == [visible(text).replace("\n", LINE_BREAK).replace("\t", " ") or " "]
    assert kinds(markdown) == kinds(place.format("`word`"))


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_fenced_shows_every_line(text: str) -> None:
    """One block of code that ends where it should."""
    blocks = tokens(f"{fenced(text)}\n\nafter")

    assert [block.type for block in blocks] == ["fence", "paragraph_open", "inline", "paragraph_close"]
    assert blocks[0].content.rstrip("\n") == visible(text).rstrip("\n")


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_a_cell_stays_one_cell(text: str) -> None:
    """A bar does not begin another cell, in prose or in code."""
    for cell in (cell_prose(text), cell_code(text)):
        markdown = f"| a | b |\n| --- | --- |\n| {cell} | last |"
        lines = [token.content for token in tokens(markdown) if token.type == "inline"]

        assert len(lines) == 4
        assert lines[3] == "last"
        assert _marks(markdown) == []
        assert not any(PLATFORM_LINKS.search(piece) for piece in prose_text(markdown))


@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_nothing_invisible_is_left(text: str) -> None:
    """No control character, no direction mark, nothing that cannot be encoded."""
    line = on_one_line(text)

    line.encode()
    assert not {unicodedata.category(one) for one in line if one not in JOINERS} & {"Cc", "Cf", "Zl", "Zp"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Automatic merge", "Automatic merge"),
        ("merge when snake_case is (quite) ready!", "merge when snake_case is (quite) ready!"),
        ("# heading", r"\# heading"),
        ("1. first", r"1\. first"),
        ("- item", r"\- item"),
        ("C #", r"C \#"),
        ("*all* _of_ [it](x)", r"\*all\* \_of\_ \[it\](x)"),
        ("<img src=x>", "&lt;img src=x>"),
        ("&lt; & b", "&amp;lt; & b"),
        ("ask @bob about #12", "ask @&#8203;bob about #&#8203;12"),
        ("see https://a.example", "see https:&#8203;//a.example"),
        ("use `a_b` now", "use `a_b` now"),
        ("one\n\n## two", "one ## two"),
        ("", "(empty)"),
        ("a\u202eb", "a⟨U+202E⟩b"),
    ],
)
def test_prose(text: str, expected: str) -> None:
    """Only characters with a meaning are escaped, so the source stays readable."""
    assert expected == prose(text)
