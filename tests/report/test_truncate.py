"""A summary fits into a check run of the platform; dropped parts are counted."""

from dataclasses import replace
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.language.configuration.read_result import Deprecation
from mergecast.language.report.markdown import LONGEST_SUMMARY, WrittenPart, summary, within
from mergecast.language.report.outline import (
    Bullet,
    Cut,
    Heading,
    Paragraph,
    Prose,
    Report,
    ReportPart,
    Strong,
    report,
    section,
)
from mergecast.language.report.pull_request import pull_request_report
from mergecast.language.report.repository import repository_report
from mergecast.language.rules.overview import Entry, Overview
from mergecast.language.rules.repository import PullRequestRow, repository_result
from mergecast.language.rules.sentence import Name, sentence
from mergecast.language.rules.simulation import Entrance
from report.rendering import TEXTS, kinds, tokens
from report.scenarios import scenario


def _units(number: int, size: int) -> tuple[tuple[Paragraph, ...], ...]:
    return tuple((Paragraph((f"{place} {'x' * size}",)),) for place in range(number))


def _long(rules: int, actions: int = 2, notes: int = 2) -> Report:
    return report(
        "title",
        ReportPart(Cut.ACTION, _units(actions, 10), "Planned actions"),
        ReportPart(Cut.RULE, _units(rules, 100)),
        ReportPart(Cut.RULE, _units(3, 100), folded="3 not applicable rules"),
        section("Merge queue", Paragraph(("queue " * 20,))),
        section("Auto-merge", Paragraph(("auto " * 20,))),
        ReportPart(Cut.NOTE, _units(notes, 10), "Notes"),
    )


def test_a_report_that_fits_is_complete() -> None:
    """Nothing is counted if nothing is dropped."""
    text = summary(_long(rules=3))

    assert "Left out" not in text
    assert text.endswith("1 xxxxxxxxxx")


def test_the_last_section_goes_first() -> None:
    """Sections are dropped from the end until the rest fits; notes stay."""
    whole = summary(_long(rules=10))
    text = summary(_long(rules=10), limit=len(whole) - 1)

    assert "### Merge queue" not in text
    assert "### Auto-merge" not in text
    assert "### Notes" in text
    assert text.endswith("characters: 2 sections (Merge queue, Auto-merge), 2 rules")


def test_then_rules_from_the_end() -> None:
    """Rules that do not apply come last, so they are dropped first."""
    text = summary(_long(rules=10), limit=1000)

    assert "not applicable" not in text
    assert "### Planned actions" in text
    assert "### Notes" in text
    assert "Left out to stay within 1,000 characters: 2 sections (Merge queue, Auto-merge), 9 rules" in text


def test_a_document_of_many_rules() -> None:
    """Whole rules are left out, never half of one."""
    found = scenario("large-document-cut")
    text = summary(pull_request_report(found.simulation, found.verdict))
    shown = text.count("### Rule: ")

    assert len(text) <= LONGEST_SUMMARY
    assert len(text) > LONGEST_SUMMARY - 1500
    assert text.endswith(f"2 sections (Merge queue, Command restrictions), {150 - shown} rules")


def _deprecation(line: int) -> Deprecation:
    return Deprecation(
        "The option `x` is deprecated; " + "y" * 200, date(2027, 1, 31), ("queue_rules",), line, 1
    )


def test_deprecations_go_before_the_answer() -> None:
    """However many there are, the answer stays, and the first banners."""
    found = scenario("deprecated-options")
    verdict = replace(found.verdict, deprecations=tuple(map(_deprecation, range(350))))
    few = replace(found.verdict, deprecations=verdict.deprecations[:1])
    text = summary(pull_request_report(found.simulation, verdict))
    shown = text.count("Action Required")
    answer = summary(pull_request_report(found.simulation, few)).partition("\n\n")[2]

    assert 200 < shown < 350
    assert LONGEST_SUMMARY - 1000 < len(text) <= LONGEST_SUMMARY
    assert answer in text
    assert text.endswith(f"✂️ Left out to stay within 65,535 characters: {350 - shown} deprecations")


def test_the_first_deprecations_stay_while_rules_go() -> None:
    """A long answer does not push out all of them either."""
    found = scenario("large-document-cut")
    verdict = replace(found.verdict, deprecations=tuple(map(_deprecation, range(30))))
    text = summary(pull_request_report(found.simulation, verdict))
    shown = text.count("### Rule: ")

    assert text.count("Action Required") == 20
    assert text.endswith(
        f"2 sections (Merge queue, Command restrictions), {150 - shown} rules, 10 deprecations"
    )


def _repository(*, rules: int, rows: int, blocker: int, difference: int = 0) -> str:
    """The summary for this many rules and pull requests, with texts of these lengths."""
    entries = tuple(Entry(f"r{place}", sentence("does ", "x" * 200)) for place in range(rules))
    differences = (sentence("new: ", "d" * difference),) if difference else None
    found = [
        PullRequestRow(
            number=number,
            title="a title",
            matching=("r0",),
            with_errors=(),
            entrance=Entrance.SHUT,
            queue=None,
            blockers=(sentence("queue ", Name("default"), ": ", Name("x" * blocker)),),
            is_affected=number == 1,
            differences=differences,
        )
        for number in range(1, rows + 1)
    ]
    result = repository_result(
        Overview(entries, (), (), (), ()), found, not_looked_at=7, notes=(sentence("A note"),)
    )
    return summary(repository_report(result, scenario("no-rules").verdict))


def _numbers(text: str) -> list[str]:
    return [line.split()[1] for line in text.splitlines() if line.startswith("| #")]


def test_rows_go_one_by_one() -> None:
    """From the end of the table; its header, its last lines and everything else stay."""
    text = _repository(rules=2, rows=130, blocker=1500)
    numbers = _numbers(text)

    assert LONGEST_SUMMARY - 2500 < len(text) <= LONGEST_SUMMARY
    assert numbers == ["#1", *(f"#{number}" for number in range(130, 131 - len(numbers), -1))]
    assert "| Pull request | Matching rules | Queue | Blocked by |\n| --- | --- | --- | --- |\n| #1 a" in text
    assert text.startswith("### Overview\n\n2 rules:\n\n- **r0**: does xxx")
    assert text.endswith(
        "|\n\n… and 30 more pull requests\n\n7 pull requests not simulated\n\n### Notes\n\n- A note\n\n"
        f"✂️ Left out to stay within 65,535 characters: {100 - len(numbers)} pull requests"
    )
    assert [token.type for token in tokens(text)].count("table_open") == 1


def test_a_long_overview_leaves_room_for_the_table() -> None:
    """The first sentences stay, with the number of all."""
    text = _repository(rules=400, rows=100, blocker=50)
    shown = text.count("\n- **r")

    assert len(_numbers(text)) == 100
    assert "400 rules:\n\n- **r0**: does xxx" in text
    assert text.endswith(f"characters: {400 - shown} overview lines")


def test_overview_table_and_differences_share_the_room() -> None:
    """Each keeps its beginning when all are too long."""
    text = _repository(rules=400, rows=100, blocker=1000, difference=400)
    rows, differences = len(_numbers(text)), text.count("\n- #")

    assert text.count("\n- **r") == 20
    assert 20 <= rows < 100
    assert "100 pull requests would be treated differently than now:\n\n- #100: new: d" in text
    assert "\n\n### Notes\n\n- A note\n\n" in text
    assert 20 <= differences < 100
    assert text.endswith(
        f"characters: 380 overview lines, {100 - rows} pull requests, {100 - differences} differences"
    )


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
    """The text is within the limit, and complete or with a last line that counts."""
    text = within(limit, parts)
    whole = "".join(part.text(len(part.units)) for part in parts).rstrip("\n")

    assert len(text) <= limit
    assert text == whole or "✂️ Left out, as this text has at most" in text.splitlines()[-1]


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, number=st.integers(1, 40), limit=st.integers(600, 3000))
def test_a_shortened_report_still_renders(text: str, number: int, limit: int) -> None:
    """Cutting never leaves a list, a heading or a fold open."""
    rules = tuple((Heading(3, ("Rule: ", Prose(text))), Paragraph((Prose(text),))) for _ in range(number))
    found = report(
        "title",
        ReportPart(
            Cut.ACTION,
            tuple((Bullet((Strong(text), ": does it")),) for _ in range(number)),
            "Planned actions",
        ),
        ReportPart(Cut.RULE, rules, folded="rules"),
    )
    markdown = summary(found, limit)
    # Texts of users hold `</details>` too, but only as code or escaped.
    folds = "".join(token.content for token in tokens(markdown) if token.type == "html_block")
    is_folded = markdown.count("<summary>rules</summary>")

    assert len(markdown) <= limit
    assert (folds.count("<details>"), folds.count("</details>")) == (is_folded, is_folded)
    assert kinds(markdown).count("bullet_list_open") <= 1
