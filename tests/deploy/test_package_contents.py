"""The Debian package has every unit; it is built here without the libraries."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.files import DEPLOY, ROOT

_UNITS = {unit.name for unit in (DEPLOY / "systemd").iterdir()}


@pytest.mark.skipif(
    shutil.which("dpkg-deb") is None, reason="needs dpkg-deb, which Debian's package dpkg has"
)
def test_every_unit_is_in_the_package(tmp_path: Path) -> None:
    (tmp_path / "stage/opt/mergecast/bin").mkdir(parents=True)
    (tmp_path / "stage/opt/mergecast/bin/mergecast").touch()
    nfpm = Path(sys.executable).with_name("nfpm")
    told = {"STAGE": str(tmp_path / "stage"), "VERSION": "1.0.0", "ARCHITECTURE": "amd64"}
    command = [str(nfpm), "package", "--config", "deploy/debian/nfpm.yaml", "--packager", "deb"]
    built = subprocess.run(
        [*command, "--target", tmp_path],
        cwd=ROOT,
        env={**os.environ, **told},
        capture_output=True,
        check=False,
    )
    assert 0 == built.returncode, built.stderr
    (package,) = tmp_path.glob("*.deb")

    listed = subprocess.run(["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True)

    files = {line.split()[5] for line in listed.stdout.splitlines()}
    assert {f"./lib/systemd/system/{unit}" for unit in _UNITS} <= files
