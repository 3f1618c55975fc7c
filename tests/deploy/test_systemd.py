"""The systemd units: valid, and they expose little."""

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
def units(tmp_path: Path) -> Path:
    """The units with a program that exists on this machine."""
    for unit in (DEPLOY / "systemd").iterdir():
        text = unit.read_text(encoding="utf-8")
        path = tmp_path / unit.name
        path.write_text(text.replace("/opt/mergecast/bin/mergecast serve", "/bin/true"), encoding="utf-8")
    return tmp_path


def _analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["mergecast.service", "mergecast-backup.service", "mergecast-backup.timer"])
def test_a_unit_is_valid(units: Path, name: str) -> None:
    run = _analyze("verify", str(units / name))

    assert (0, "") == (run.returncode, run.stderr)


@pytest.mark.parametrize("name", ["mergecast.service", "mergecast-backup.service"])
def test_a_unit_exposes_little(units: Path, name: str) -> None:
    run = _analyze("security", "--offline=true", "--no-pager", str(units / name))
    found = re.search(rf"Overall exposure level for {name}: ([\d.]+)", run.stdout)

    assert found is not None, run.stdout + run.stderr
    assert float(found.group(1)) < _MOST_EXPOSURE


@pytest.mark.parametrize("name", ["mergecast.service", "mergecast-backup.service"])
def test_children_may_limit_themselves(name: str) -> None:
    """Simulations and forecasts run in children that set their own limits: setrlimit is in @resources."""
    text = (DEPLOY / "systemd" / name).read_text(encoding="utf-8")
    refused = re.findall(r"^SystemCallFilter=~(.*)$", text, re.MULTILINE)

    assert ["@privileged"] == refused
