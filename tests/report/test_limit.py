"""A summary fits the platform's check runs; what is left out is counted."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.report.limit import LONGEST_SUMMARY, WrittenPart, within
from mergecast.report.markdown import summary
from mergecast.report.outline import (
    Bullet,
    Cut,
    Heading,
    Paragraph,
    Part,
    Prose,
    Report,
    Strong,
    report,
    section,
)
from mergecast.report.pull_request import pull_request_report
from report.rendering import TEXTS, kinds
from report.scenarios import scenario


def _units(number: int, size: int) -> tuple[tuple[Paragraph, ...], ...]:
    return tuple((Paragraph((f"{place} {'x' * size}",)),) for place in range(number))


def _long(rules: int, actions: int = 2, notes: int = 2) -> Report:
    return report(
        "title",
        Part(Cut.ACTION, _units(actions, 10), "Planned actions"),
        Part(Cut.RULE, _units(rules, 100)),
        Part(Cut.RULE, _units(3, 100), folded="3 not applicable rules"),
        section("Merge queue", Paragraph(("queue " * 20,))),
        section("Auto-merge", Paragraph(("auto " * 20,))),
        Part(Cut.NOTE, _units(notes, 10), "Notes"),
    )


def test_what_fits_is_whole() -> None:
    """Nothing is counted where nothing is left out."""
    text = summary(_long(rules=3))

    assert "Left out" not in text
    assert text.endswith("1 xxxxxxxxxx")


def test_the_last_section_goes_first() -> None:
    """Sections go from the end, as long as the rest is too long; notes stay."""
    whole = summary(_long(rules=10))
    text = summary(_long(rules=10), limit=len(whole) - 1)

    assert "### Merge queue" not in text
    assert "### Auto-merge" not in text
    assert "### Notes" in text
    assert text.endswith("characters: 2 sections (Merge queue, Auto-merge), 2 rules")


def test_then_rules_from_the_end() -> None:
    """Those that do not apply stand last, so they go before those that may."""
    text = summary(_long(rules=10), limit=1000)

    assert "not applicable" not in text
    assert "### Planned actions" in text
    assert "### Notes" in text
    assert (
        "Left out, as this text has at most 1,000 characters: 2 sections (Merge queue, Auto-merge), 9 rules"
        in text
    )


def test_a_document_of_many_rules() -> None:
    """Whole rules are left out, never half of one."""
    found = scenario("large-document-cut")
    text = summary(pull_request_report(found.simulation, found.verdict))
    shown = text.count("### Rule: ")

    assert len(text) <= LONGEST_SUMMARY
    assert len(text) > LONGEST_SUMMARY - 1500
    assert text.endswith(f"2 sections (Merge queue, Command restrictions), {150 - shown} rules")


@settings(max_examples=60, deadline=None)
@given(
    limit=st.integers(600, 5000),
    parts=st.lists(
        st.builds(
            WrittenPart,
            st.sampled_from(Cut),
            st.sampled_from(["Merge queue", "Auto-merge"]),
            st.just("### title\n\n"),
            st.lists(st.text("ab\n", max_size=900), min_size=1, max_size=6).map(tuple),
        ),
        max_size=8,
    ),
)
def test_never_longer_than_the_limit(limit: int, parts: list[WrittenPart]) -> None:
    """Whatever the parts are: within the limit, and all of them or a last line that counts."""
    text = within(limit, parts)
    whole = "".join(part.text(len(part.units)) for part in parts).rstrip("\n")

    assert len(text) <= limit
    assert text == whole or "✂️ Left out, as this text has at most" in text.splitlines()[-1]


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, number=st.integers(1, 40), limit=st.integers(600, 3000))
def test_what_is_left_still_renders(text: str, number: int, limit: int) -> None:
    """Cutting never leaves a list, a heading or a fold open."""
    rules = tuple((Heading(3, ("Rule: ", Prose(text))), Paragraph((Prose(text),))) for _ in range(number))
    found = report(
        "title",
        Part(
            Cut.ACTION,
            tuple((Bullet((Strong(text), ": does it")),) for _ in range(number)),
            "Planned actions",
        ),
        Part(Cut.RULE, rules, folded="rules"),
    )
    markdown = summary(found, limit)
    closed = [token.count("<details>") - token.count("</details>") for token in markdown.split("\n\n")]

    assert len(markdown) <= limit
    assert sum(closed) == 0
    assert kinds(markdown).count("bullet_list_open") <= 1
