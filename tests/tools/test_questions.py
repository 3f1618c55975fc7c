"""Twenty questions can be answered from one call each, and docs/agents.md shows the answers.

`UPDATE_GOLDEN=1` writes what the page shows; read the diff before you commit it.
"""

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from live_server import LiveServer
from mergecast.tools.every_tool import TOOLS
from tools.conftest import REPOSITORY
from tools.messages import call, text_of
from tools.questions import CALLS, Call
from waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.thorough]

_PAGE = Path(__file__).parents[2] / "docs" / "agents.md"
_BEGIN, _END = "<!-- answers: written by tests/tools/test_questions.py -->\n", "<!-- end of answers -->\n"


@pytest.fixture(scope="module")
def settled(demo: LiveServer) -> LiveServer:
    """The demo once it knows when pull requests will merge."""

    def is_known() -> bool:
        queues = demo.http.get(f"/v1/repos/{REPOSITORY}/queue").json()["queues"]
        return all(queue["expected_merges"] == "known" for queue in queues)

    wait_until(is_known, pause=1.0)  # each look costs what a forecast needs
    return demo


@pytest.fixture(scope="module")
def answers(settled: LiveServer) -> list[tuple[Call, dict[str, object], str]]:
    found = []
    for asked in CALLS:
        arguments = asked.asked(settled)
        result = call(settled, asked.tool, **arguments)
        text, content = text_of(result), result["structuredContent"]
        assert not result["isError"], text
        Draft202012Validator(TOOLS[asked.tool].output).validate(content)
        assert len(text.splitlines()) <= 10
        assert len(text) + len(json.dumps(content, ensure_ascii=False)) < 7000
        found.append((asked, arguments, text))
    return found


def test_every_answer_contains_the_facts(
    settled: LiveServer, answers: list[tuple[Call, dict[str, object], str]]
) -> None:
    """They are what the API says."""
    questions = [(text, question) for asked, _, text in answers for question in asked.questions]
    missing = [
        (question.text, fact)
        for text, question in questions
        for fact in question.facts(settled)
        if fact not in text
    ]

    assert [] == missing
    assert 20 == len(questions)


def test_the_page_shows_these_answers(
    settled: LiveServer, answers: list[tuple[Call, dict[str, object], str]]
) -> None:
    page = _PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    expected = before + _BEGIN + "".join(_shown(settled, *answer) for answer in answers) + "\n" + _END + after
    if os.environ.get("UPDATE_GOLDEN"):
        _PAGE.write_text(expected, encoding="utf-8")
        page = expected

    assert expected == page


def _shown(server: LiveServer, asked: Call, arguments: dict[str, object], text: str) -> str:
    number = str(arguments.get("number", ""))
    questions = "\n".join(
        f"- {question.text.replace('{}', number)} Facts: {'; '.join(question.facts(server))}"
        for question in asked.questions
    )
    return f"\n{questions}\n\n```\n{asked.tool} {json.dumps(arguments)}\n\n{text}\n```\n"
