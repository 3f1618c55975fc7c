"""Lines that people paste into a shell; they call curl, which no one needs to run the tests."""

import shutil
import subprocess

import pytest

needs_curl = pytest.mark.skipif(
    shutil.which("curl") is None, reason="curl is not installed (Debian: apt install curl)"
)


def run_line(line: str) -> str:
    """What it prints."""
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout
