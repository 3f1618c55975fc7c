"""Whole reports for realistic documents and pull requests."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from mergecast.language.report.markdown import LONGEST_SUMMARY, summary
from mergecast.language.report.pull_request import pull_request_report
from mergecast.language.report.terminal import plain_text
from report.rendering import PLATFORM_LINKS, prose_text, spans, tokens
from report.scenarios import assert_golden, scenario
from scenario_files import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_title_and_summary(name: str) -> None:
    """The whole answer, as the endpoint gives it."""
    found = scenario(name)
    report = pull_request_report(found.simulation, found.verdict)

    assert_golden(found.folder / "summary.md", f"{report.title}\n\n{summary(report)}\n")


@pytest.mark.parametrize("name", NAMES)
def test_same_input_same_bytes(name: str) -> None:
    """Nothing depends on when, or on how often, a scenario is read."""
    reports = [pull_request_report(one.simulation, one.verdict) for one in (scenario(name), scenario(name))]

    assert summary(reports[0]) == summary(reports[1])
    assert plain_text(reports[0]) == plain_text(reports[1])
    assert len(summary(reports[0])) <= LONGEST_SUMMARY


OURS = re.compile(r"(<hr />|<details>|<summary>[\w ]+</summary>|</details>|\s)+")
SECTIONS = [
    "Planned actions",
    "Rule",
    "Merge protections",
    "Merge queue",
    "Auto-merge",
    "Conflict resolution",
    "Command restrictions",
    "Notes",
]


@pytest.mark.parametrize("name", NAMES)
def test_rendered(name: str) -> None:
    """Only our own tags, no link and no image; sections come in their order, and every box is in a list."""
    found = scenario(name)
    markdown = summary(pull_request_report(found.simulation, found.verdict))
    tags = [block.content for block in tokens(markdown) if block.type == "html_block"]

    assert all(OURS.fullmatch(tag) for tag in tags)
    assert not {span.type for span in spans(markdown)} & {"html_inline", "link_open", "image"}
    assert not any(PLATFORM_LINKS.search(text) for text in prose_text(markdown))
    assert _sections(markdown) == sorted(_sections(markdown), key=SECTIONS.index)


def _sections(markdown: str) -> list[str]:
    blocks = tokens(markdown)
    titles = (
        after.content.strip("~").split(":")[0]
        for block, after in pairwise(blocks)
        if block.type == "heading_open" and block.tag == "h3"
    )
    return list(dict.fromkeys(titles))


@pytest.mark.parametrize(
    "name", ["backport-by-label", "checks-partly-red", "freeze-by-schedule", "hostile-text"]
)
def test_in_a_terminal(name: str) -> None:
    """The same outline as plain text."""
    found = scenario(name)
    text = plain_text(pull_request_report(found.simulation, found.verdict))

    assert_golden(Path(__file__).parent / "golden" / f"{name}.txt", text)
