"""`scripts/install` says what is missing in one sentence, and the next start works, whatever happened."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from scripts.clone import Clone
from waiting import MOST_SECONDS

_OLD = "import sys\nsys.version_info = (3, 10, 12, 'final', 0)\n"
_MISSING = "raise ModuleNotFoundError\n"


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "clone")
    made.fill()
    return made


def test_no_python(clone: Clone) -> None:
    ended = clone.run("scripts/install", PYTHON="python9")

    assert "Mergecast needs Python 3.11 or newer, and there is no program `python9`." == ended.last
    assert 1 == ended.code


def test_a_python_that_does_not_run(clone: Clone) -> None:
    clone.plant("python9", "exit 127")
    ended = clone.run("scripts/install", PYTHON="python9")

    assert "Mergecast needs Python 3.11 or newer, and `python9` does not run." == ended.last
    assert 1 == ended.code


def test_a_python_that_is_too_old_is_refused_and_another_one_works(clone: Clone) -> None:
    old = clone.python("old", sitecustomize=_OLD)
    ended = clone.run("scripts/install", PYTHON=old)
    left = clone.environments()
    again = clone.run("scripts/install")

    message = (
        f"Mergecast needs Python 3.11 or newer, and `{old}` is Python 3.10: "
        "name a newer one, for example PYTHON=python3.12."
    )
    assert (1, message, []) == (ended.code, ended.last, left)
    assert 0 == again.code, again.err
    assert clone.is_installed()


def test_without_venv(clone: Clone) -> None:
    """As on Debian without python3-venv."""
    python = clone.python("without-venv", ensurepip=_MISSING)
    ended = clone.run("scripts/install", PYTHON=python)

    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    message = (
        f"`{python}` cannot make a virtual environment: install its module venv "
        f"(Debian: apt install {package})."
    )
    assert (1, message, []) == (ended.code, ended.last, clone.environments())


@pytest.mark.parametrize("state", ["no Python", "an old Python", "no pip", "half-made"])
def test_an_unusable_environment_is_made_again(clone: Clone, state: str) -> None:
    """The last two are what `venv` leaves without the module ensurepip, and when it is interrupted."""
    clone.plant_environment()
    folder = clone.folder / ".venv/bin"
    if state == "half-made":
        shutil.rmtree(folder)
    else:
        (folder / "python").unlink()
    if state == "an old Python":
        (folder / "python").symlink_to(clone.python("old", sitecustomize=_OLD))
    if state == "no pip":
        (folder / "python").symlink_to(clone.python("without-pip", pip=_MISSING, sitecustomize=_NO_PIP))

    ended = clone.run("scripts/install")

    assert (0, "installing into .venv …") == (ended.code, ended.err.splitlines()[0]), ended.err
    assert clone.is_installed()


_NO_PIP = """\
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name == "pip" else found(name)
"""


@pytest.mark.thorough
def test_a_clone_that_was_moved_works_again(clone: Clone, tmp_path: Path) -> None:
    """With a real environment: programs contain the path of their Python."""
    first = clone.run("scripts/install", PYTHON=sys.executable)
    second = clone.run("scripts/install", PYTHON=sys.executable)
    assert clone.is_installed()
    moved = Clone(clone.folder.rename(tmp_path / "another name"))
    third = moved.run("scripts/install", PYTHON=sys.executable)

    assert 0 == first.code, first.err
    assert (0, "") == (second.code, second.err)
    assert (0, "installing into .venv …\n") == (third.code, third.err)
    assert moved.is_installed()


@pytest.mark.thorough
def test_no_network(clone: Clone) -> None:
    """The last line says so, and does not name a package."""
    clone.write("requirements/test.txt", f"uv==0.13.7 \\\n    --hash=sha256:{'a' * 64}\n")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:1/simple", "PIP_CONFIG_FILE": os.devnull}
    ended = clone.run("scripts/install", "test", PYTHON=sys.executable, PIP_RETRIES="1", **nowhere)

    message = "The packages could not be downloaded: is there a connection to the internet?"
    assert (1, message, []) == (ended.code, ended.last, clone.environments())


@pytest.mark.thorough
def test_another_failure_of_pip_leaves_the_environment_as_it_was(clone: Clone) -> None:
    assert 0 == clone.run("scripts/install", PYTHON=sys.executable).code
    clone.write("requirements/server.txt", "!\n")
    ended = clone.run("scripts/install", PYTHON=sys.executable)

    assert (1, "The packages could not be installed: pip says why above.") == (ended.code, ended.last)
    assert "ERROR: Invalid requirement: '!'" in ended.err
    assert clone.is_installed()


def test_ctrl_c_leaves_nothing_behind(clone: Clone) -> None:
    pipe = clone.folder / "slow"
    os.mkfifo(pipe)
    with clone.started("scripts/install") as process:
        assert "installing\n" == pipe.read_text(encoding="utf-8")
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=MOST_SECONDS)
    left = clone.environments()
    pipe.unlink()
    again = clone.run("scripts/install")

    assert (130, []) == (process.returncode, left)
    assert 0 == again.code, again.err
    assert clone.is_installed()
