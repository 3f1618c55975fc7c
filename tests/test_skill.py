"""The skill for agents has the form that agents expect, and every command in it exists."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from mergecast.cli.command_tree import program

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
    command: Any = program()
    context = command.context_class(command)
    while hasattr(command, "commands"):
        name = words.pop(0)
        command = command.get_command(context, name)
        assert command is not None, f"there is no command {name}"
        context = command.context_class(command, parent=context)

    command.parse_args(context, words)


# For people who run a server or look after a repository.
_NOT_FOR_AGENTS = {"config", "serve", "demo", "setup", "import", "doctor", "open", "store", "admin"}
_NOT_FOR_AGENTS |= {"report", "stats"}  # the answers of `summary`, as a page and one by one


def test_the_skill_names_the_commands_for_the_usual_questions() -> None:
    named = {line.split()[1] for line in _COMMANDS}

    assert [] == sorted(program().commands.keys() - _NOT_FOR_AGENTS - named)


def test_the_skill_names_every_exit_code() -> None:
    """As docs/operating.md does."""
    (line,) = [line for line in _BODY.splitlines() if line.startswith("Exit codes:")]

    assert ["0", "1", "2", "3", "4", "5"] == re.findall(r"(?:: |, )(\d) ", line)
    assert "refused credential" in line
