"""The skill for agents has the form that agents expect, and every command in it exists."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from mergecast.cli.main import app

_SKILL = Path(__file__).parents[1] / "skills" / "mergecast" / "SKILL.md"
_TEXT = _SKILL.read_text(encoding="utf-8")
_, _HEAD, _BODY = _TEXT.split("---\n", 2)
# In a block of code, or between backquotes.
_COMMANDS = sorted({
    found.strip("`") for found in re.findall(r"^mergecast .+$|`mergecast [^`]+`", _BODY, re.MULTILINE)
})  # fmt: skip


def test_the_form_is_that_of_a_skill() -> None:
    """The name is that of the folder, the description is short, and so is the body."""
    fields = dict(line.split(": ", 1) for line in _HEAD.splitlines())

    assert {"name", "description"} == fields.keys()
    assert _SKILL.parent.name == fields["name"]
    assert 0 < len(fields["description"]) <= 1024
    assert len(_BODY.splitlines()) < 300


@pytest.mark.parametrize("line", _COMMANDS)
def test_every_command_can_be_parsed(line: str) -> None:
    """With the real commands and options, without running anything."""
    _, *words = shlex.split(line)
    command: Any = get_command(app)
    context = command.context_class(command)
    while hasattr(command, "commands"):
        name = words.pop(0)
        command = command.get_command(context, name)
        assert command is not None, f"there is no command {name}"
        context = command.context_class(command, parent=context)

    command.parse_args(context, words)


def test_the_skill_names_the_commands_for_the_usual_questions() -> None:
    named = {line.split()[1] for line in _COMMANDS}

    assert {"pull", "wait", "queue", "ci-checks", "summary", "alerts", "forecast", "check", "mcp"} <= named
