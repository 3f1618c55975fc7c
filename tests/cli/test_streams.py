"""What a command prints does not depend on the locale, and a stream may be closed."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough  # child processes

_PROGRAM = "import sys; from mergecast.cli.main import main; sys.argv[0] = 'mergecast'; main()"
_ASCII = {"PYTHONIOENCODING": "ascii", "TERM": "dumb"}
_DOCUMENT = "queue_rules:\n  - name: ä\n    größe: 😀\n"


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", _PROGRAM, *arguments]


@pytest.fixture
def document(tmp_path: Path) -> Path:
    file = tmp_path / "document.yml"
    file.write_text(_DOCUMENT, encoding="utf-8")
    return file


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_pipe_gets_utf_8(document: Path, form: str) -> None:
    """Also in a locale that has only ASCII."""
    arguments = ("check", str(document), "--format", form)

    ended = subprocess.run(_command(*arguments), env=os.environ | _ASCII, capture_output=True, check=False)

    assert (1, b"") == (ended.returncode, ended.stderr)
    assert "größe" in ended.stdout.decode()


def test_a_terminal_that_cannot_show_a_character(document: Path) -> None:
    """A minus sign stays one: without it, a decrease would read as an increase."""
    document.write_text("größe−12: 😀\n", encoding="utf-8")
    master, slave = pty.openpty()
    with os.fdopen(slave, "wb") as terminal:
        ended = subprocess.run(
            _command("check", str(document)),
            env=os.environ | _ASCII,
            stdout=terminal,
            stderr=subprocess.PIPE,
            check=False,
        )
    shown = os.read(master, 10_000)
    os.close(master)

    assert (1, b"") == (ended.returncode, ended.stderr)
    assert b"gr??e-12" in shown


@pytest.mark.parametrize("closed", ["1>&-", "0<&- 1>&- 2>&-"])
def test_a_closed_stream(document: Path, closed: str) -> None:
    """It leads nowhere; the exit code is the same."""
    shell = ["sh", "-c", f'"$@" {closed}', "sh"]

    ended = subprocess.run([*shell, *_command("check", str(document))], capture_output=True, check=False)

    assert (1, b"", b"") == (ended.returncode, ended.stdout, ended.stderr)
