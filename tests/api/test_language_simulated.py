"""Every attribute and every action, through the pull-request simulator.

With UPDATE_GOLDEN in the environment the answers are written instead of compared.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.recorded_pulls import Simulator, record, rich_record, simulator
from language_examples import ACTION_EXAMPLES, SECTION_EXAMPLES, example_conditions
from mergecast.language.conditions.attribute import AllowedIn
from mergecast.language.conditions.attributes import ATTRIBUTES
from mergecast.language.configuration.models.actions import Actions
from mergecast.language.configuration.models.configuration import SECTIONS

_GOLDEN = Path(__file__).parent / "golden"
_REPOSITORY = "acme/engine"
_BARE, _RICH = 6, 7
_TIMES = {_BARE: "as little as possible is known", _RICH: "everything is known"}

_RULE = "pull_request_rules:\n  - name: tried\n    conditions:\n      - {}\n    actions: {{comment: {{}}}}\n"
_COMMAND = "commands_restrictions:\n  queue:\n    conditions:\n      - {}\n"
_MESSAGE = "queue_rules:\n  - name: default\n    commit_message_template: '{{{{ {} }}}}'\n"


@pytest.fixture(scope="module")
def simulating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Simulator]:
    with simulator(tmp_path_factory.mktemp("language")) as made:
        made.record(_REPOSITORY, record(_BARE)).raise_for_status()
        made.record(_REPOSITORY, rich_record(_RICH)).raise_for_status()
        yield made


def _documents(name: str) -> Iterator[str]:
    row = ATTRIBUTES[name]
    if row.allowed_in is AllowedIn.TEMPLATES:
        yield _MESSAGE.format(row.template_name)
    elif row.allowed_in is not AllowedIn.INJECTED:
        pattern = _COMMAND if row.allowed_in is AllowedIn.COMMANDS else _RULE
        yield from (pattern.format(json.dumps(condition)) for condition in example_conditions(row))


def _answers(simulating: Simulator, documents: Iterator[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for document in documents:
        for number, known in _TIMES.items():
            answer = simulating.pull_request(_REPOSITORY, number, document)
            assert 200 == answer.status_code, answer.text
            found[f"{document}# {known}"] = answer.json()
    return found


def _assert_golden(file: Path, answers: dict[str, Any]) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_written(answers), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == _written(answers)


def _written(answers: dict[str, Any]) -> str:
    """A readable page: each document and its answer."""
    return "".join(
        f"````yaml\n{document}\n````\n\n# {answer['title']}\n\n{answer['summary']}\n\n"
        for document, answer in answers.items()
    )


@pytest.mark.parametrize(
    "name", [name for name, row in ATTRIBUTES.items() if row.allowed_in is not AllowedIn.INJECTED]
)
def test_attributes(simulating: Simulator, name: str) -> None:
    """On a pull request with few known parts, and on one with all of them."""
    _assert_golden(_GOLDEN / "attributes" / f"{name}.md", _answers(simulating, _documents(name)))


@pytest.mark.parametrize("name", ACTION_EXAMPLES)
def test_actions(simulating: Simulator, name: str) -> None:
    """The same for each action."""
    _assert_golden(_GOLDEN / "actions" / f"{name}.md", _answers(simulating, iter([ACTION_EXAMPLES[name]])))


@pytest.mark.parametrize("name", SECTION_EXAMPLES)
def test_sections(simulating: Simulator, name: str) -> None:
    """The same for each section of the document."""
    document = SECTION_EXAMPLES[name].lstrip()
    _assert_golden(_GOLDEN / "sections" / f"{name}.md", _answers(simulating, iter([document])))


def test_every_action_and_section_has_an_example() -> None:
    """A new action or section needs an example."""
    actions = {field.alias or name for name, field in Actions.model_fields.items()}

    assert actions == ACTION_EXAMPLES.keys()
    assert set(SECTIONS) == SECTION_EXAMPLES.keys()
