"""The systemd unit: valid, and it exposes little."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.files import DEPLOY

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="needs systemd-analyze, which Debian's package systemd has",
)
_MOST_EXPOSURE = 2.0


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that exists on this machine."""
    text = (DEPLOY / "systemd" / "mergecast.service").read_text(encoding="utf-8")
    path = tmp_path / "mergecast.service"
    path.write_text(text.replace("/opt/mergecast/bin/mergecast serve", "/bin/true"), encoding="utf-8")
    return path


def _analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_unit_is_valid(unit: Path) -> None:
    run = _analyze("verify", str(unit))

    assert (0, "") == (run.returncode, run.stderr)


def test_the_unit_exposes_little(unit: Path) -> None:
    run = _analyze("security", "--offline=true", "--no-pager", str(unit))
    found = re.search(r"Overall exposure level for mergecast.service: ([\d.]+)", run.stdout)

    assert found is not None, run.stdout + run.stderr
    assert float(found.group(1)) < _MOST_EXPOSURE


def test_children_may_limit_themselves() -> None:
    """Simulations and forecasts run in children that set their own limits: setrlimit is in @resources."""
    text = (DEPLOY / "systemd" / "mergecast.service").read_text(encoding="utf-8")
    refused = re.findall(r"^SystemCallFilter=~(.*)$", text, re.MULTILINE)

    assert ["@privileged"] == refused
