"""Text of strangers becomes one short line, which shows all that it contains."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mergecast.tools.strangers import LONGEST, cleaned, link, marked
from mergecast.tools.tool import is_named
from tools.hostile_names import HOSTILE_NAMES, what_is_wrong

_ANY = st.text(st.characters(), max_size=400) | st.sampled_from(HOSTILE_NAMES)


@given(_ANY)
@example("\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07click\x1b]8;;\x07")
@example("a" + "\u0301" * 50)
@example("\ud800 \ue000 \u2028 \u202e \ufe0f \U000e0041")
def test_nothing_dangerous_is_left(text: str) -> None:
    """No control or format character, no long row of marks, one line of at most 120 characters."""
    assert not what_is_wrong(cleaned(text))
    assert len(cleaned(text)) <= LONGEST


@given(_ANY)
def test_cleaning_again_changes_nothing(text: str) -> None:
    assert cleaned(text) == cleaned(cleaned(text))


@given(_ANY)
def test_only_the_ends_of_a_marked_text_are_marks(text: str) -> None:
    """No text can end the mark that surrounds it."""
    shown = marked(text)

    assert ("«", "»") == (shown[0], shown[-1])
    assert not {"«", "»"} & set(shown[1:-1])


@given(_ANY)
def test_a_cleaned_name_finds_the_original(text: str) -> None:
    """Also as it stands in a sentence, with its marks."""
    assert is_named(text, cleaned(text))
    assert is_named(text, marked(text))


@given(st.text(st.characters(categories=("L", "N")), min_size=1, max_size=LONGEST))
def test_letters_and_digits_of_every_script_stay(text: str) -> None:
    assert text == cleaned(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unit tests (macos)", "unit tests (macos)"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;https://evil.example\x1b\\here\x1b]8;;\x1b\\", "here"),
        ("two\nlines\r\nand\ttabs", "two lines and tabs"),
        ("say «done» now", "say <done> now"),
        ("x" * 200, "x" * 119 + "…"),
        ("e" + "\u0301" * 9 + "!", "e\u0301\u0301!"),
        ("a\u200bb\u202ec", "abc"),
        ("\u2764\ufe0f", "\u2764"),
    ],
)
def test_examples(text: str, expected: str) -> None:
    assert expected == cleaned(text)


@pytest.mark.parametrize("url", ["https://ci.example/1?a=b#c", "http://127.0.0.1:8080/x", "https://[::1]/x"])
def test_links_of_the_web_stay_as_they_are(url: str) -> None:
    assert url == link(url)


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//ci.example/1", "ci.example"),
        *("https://user@ci.example/", "https://user:password@ci.example/", "https://", "https://[::1"),
        *("https://ci.example/a b", "https://ci.example/\x1b[31m", "https://ci.example/»", "x" * 400, None),
    ],
)
def test_other_links_are_left_out(url: str | None) -> None:
    assert link(url) is None


def test_every_hostile_name_needs_cleaning_or_marks() -> None:
    """The list would be worthless if its names were harmless."""
    assert 200 == len(set(HOSTILE_NAMES))
    changed = [name for name in HOSTILE_NAMES if cleaned(name) != name]
    assert len(changed) > 150
    assert {"Cc", "Cf", "Co", "Zl", "Zp"} <= {unicodedata.category(one) for name in changed for one in name}
