"""Long messages are cut where nothing breaks."""

import re

import pytest
from jsonschema import validate  # type: ignore[import-untyped]

from mergecast.queues.model.cause import ONCE
from mergecast.queues.model.notification import DIGEST
from mergecast.signals.notices.message import Line, Message, Span, message_of
from mergecast.signals.notices.notice import Digest, Notice
from mergecast.signals.notices.rendering import slack
from notices.schemas import SLACK

_LINK = Span("Open in Mergecast", "https://mergecast.example")
_URL = "https://ci.example.com/" + "x" * 950
_WHOLE = re.compile(r"(?:[^<>&]|&amp;|&lt;|&gt;|<https://[^<>|]+[|][^<>|]+>)*")


def _sections(*lines: Line, title: str = "A title") -> list[str]:
    blocks = slack(Message(title, lines, _LINK))
    validate(blocks, SLACK)
    return [block["text"]["text"] for block in blocks["blocks"] if block["type"] == "section"]


@pytest.mark.parametrize("before", [*range(1980, 2060, 7), 2980, 2990, 2998, 2999, 3000, 3001, 4000])
@pytest.mark.parametrize("is_bold", [True, False])
def test_a_section_of_slack_is_never_cut_inside_a_link(before: int, is_bold: bool) -> None:  # noqa: FBT001
    """A link that does not fit is left out, and its text stays as long as there is room."""
    (section,) = _sections((Span("a" * before), Span("build <1>", _URL, is_bold=is_bold), Span(" failed")))

    assert len(section) <= 3000
    assert _WHOLE.fullmatch(section)


def test_a_link_that_does_not_fit_becomes_its_text() -> None:
    (section,) = _sections((Span("a" * 2900), Span("build", _URL, is_bold=True), Span(" failed")))

    assert f"{'a' * 2900}*build* failed" == section


def test_an_escaped_character_is_not_cut() -> None:
    sections = [_sections((Span("a" * before + "&" * 600),))[0] for before in range(6)]

    assert [f"{'a' * before}{'&amp;' * 599}…" for before in range(1, 5)] == sections[1:5]
    assert "&amp;" * 600 == sections[0]


def test_a_long_title_ends_with_an_ellipsis() -> None:
    header = slack(Message("t" * 151, (), _LINK))["blocks"][0]["text"]["text"]

    assert f"{'t' * 149}…" == header


def test_a_digest_says_which_changes_were_first_reported() -> None:
    change = "time to merge, p95: 1h17m → 1h52m, began between 2026-03-11 and 2026-03-14"
    digest = Digest("2026-03-30T09:00:00Z", "2026-04-06T09:00:00Z", [], [], [], changes=[change])
    notice = Notice(
        "id", DIGEST, ONCE, "acme/widgets", None, None, digest.end_at, "Fine.", "https://x", digest=digest
    )

    assert ["Fine.", f"First reported this week, {change}"] == [
        "".join(span.text for span in line) for line in message_of(notice).lines
    ]


def test_a_digest_says_whose_fault_removals_were() -> None:
    """The most frequent cause first, and how often verdicts were right."""
    right = "default: 61 removals. “Queue it again” was right in 27 of 34 whose outcome is known."
    digest = Digest(
        "2026-03-02T09:00:00Z", "2026-03-09T09:00:00Z", [], [], [], {"own": 2, "flake": 5, "push": 0}, [right]
    )
    notice = Notice(
        "id", DIGEST, ONCE, "acme/widgets", None, None, digest.end_at, "Fine.", "https://x", digest=digest
    )

    assert ["Fine.", "Whose fault: chance (5), the change itself (2)", f"Verdicts in 8 weeks, {right}"] == [
        "".join(span.text for span in line) for line in message_of(notice).lines
    ]
