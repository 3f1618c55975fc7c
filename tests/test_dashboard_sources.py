"""The dashboard's sources: types are right, and its pure functions do what they say."""

import re
import subprocess
from pathlib import Path

import pytest

from own_node import NPM, why_not

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "dashboard"


@pytest.mark.skipif(why_not() is not None, reason=why_not() or "")
@pytest.mark.server  # like the browser's tests, it needs what scripts/dashboard installs, and it takes long
@pytest.mark.parametrize("script", ["check", "test"])
def test_script_succeeds(script: str) -> None:
    """`check` checks the types of every file; `test` runs the tests of `src/model`."""
    run = subprocess.run(
        [*NPM, "run", "--silent", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )

    assert 0 == run.returncode, run.stdout + run.stderr


def test_markup_has_no_inline_style() -> None:
    """The Content-Security-Policy refuses it."""
    written = [
        path for path in FOLDER.glob("src/**/*.svelte") if re.search(r"\sstyle=", path.read_text("utf-8"))
    ]

    assert [] == written


def test_pages_ask_only_questions() -> None:
    """What a page shows comes from `asked`, which takes a value: no page sends a request for it by itself."""
    outside = [
        path
        for path in FOLDER.glob("src/**/*")
        if path.suffix in (".svelte", ".ts") and path.parent.name != "api"
    ]
    asking = {
        path.name
        for path in outside
        if re.search(r"\b(answerTo|send|sendForText|sendForLines|fetch)\(", _code(path))
    }

    assert {"asked.svelte.ts", "session.svelte.ts"} == asking


def _code(path: Path) -> str:
    """Without tests, which may do what does not compile."""
    return "" if path.name.endswith(".test.ts") else path.read_text("utf-8")


def test_lock_file_names_no_registry() -> None:
    """The packages come from whatever registry npm is set up with."""
    assert '"resolved"' not in (FOLDER / "package-lock.json").read_text(encoding="utf-8")
