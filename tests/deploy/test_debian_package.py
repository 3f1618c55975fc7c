"""The Debian package, installed into a root of Debian 12 without a network.

This takes minutes and gigabytes, so it runs only if MERGECAST_TEST_DEB is set.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.recorded_pulls import record
from deploy.files import DEPLOY, ROOT
from deploy.rooms import Room, debian, run, why_not
from mergecast import __version__

_MISSING = why_not("MERGECAST_TEST_DEB", "dpkg", "mmdebstrap", "unshare")
pytestmark = [pytest.mark.thorough, pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")]
# What the unit allows, as far as a process can have it without systemd: no new rights, no capabilities, its
# number of open files, and no memory that can be both written and executed (prctl PR_SET_MDWE).
_CONFINED = ("setpriv", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--")
_NEVER_EXECUTE_WRITTEN = """\
import ctypes, os, resource, sys
most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(int(sys.argv[1]), most),) * 2)
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) != 0:
    print("this kernel has no PR_SET_MDWE", file=sys.stderr)
os.execvp(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture(scope="module")
def package() -> Path:
    found = sorted((ROOT / "dist").glob(f"mergecast_{__version__}-1_*.deb"))
    if not found:
        pytest.skip("there is no package: run scripts/build deb")
    return found[-1]


@pytest.fixture(scope="module")
def room(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """Debian with the package installed, and a folder for the data."""
    folder = tmp_path_factory.mktemp("debian")
    root, data = folder / "root", folder / "data"
    try:
        root.mkdir()
        run("tar", "-xf", str(debian(folder)), "-C", str(root), "--exclude=./dev/*")
        shutil.copy(package, root / "package.deb")
        # Its own namespace has no network.
        run("unshare", "--net", "chroot", str(root), "dpkg", "--install", "/package.deb")
        (root / "data").mkdir()
        data.mkdir()
        shutil.chown(data, 65_534, 65_534)
        settings = {"PATH": "/usr/bin:/bin", "MERGECAST_DATA_DIR": "/data"}
        yield Room(root, settings, data, user="65534:65534")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_what_the_package_installs(package: Path) -> None:
    """Everything in one folder, the units, and settings that only root can read."""
    listed = run("dpkg-deb", "--contents", str(package))
    files = {line.split()[5]: line.split()[0] for line in listed.splitlines()}
    elsewhere = [name for name in files if not name.startswith("./opt/mergecast/") and not name.endswith("/")]

    assert [
        "./etc/mergecast/environment",
        "./lib/systemd/system/mergecast-backup.service",
        "./lib/systemd/system/mergecast-backup.timer",
        "./lib/systemd/system/mergecast.service",
        "./usr/bin/mergecast",
        "./usr/share/doc/mergecast/copyright",
    ] == sorted(elsewhere)
    assert "-rw-------" == files["./etc/mergecast/environment"]
    assert not [name for name in files if name.endswith("direct_url.json")]


def test_the_installed_command(room: Room) -> None:
    """No file still names the folder in which the package was built."""
    assert (0, f"mergecast {__version__}\n") == _ended(room.run("mergecast", "--version"))
    first_lines = {
        path.read_bytes().partition(b"\n")[0]
        for path in (room.root / "opt" / "mergecast" / "bin").iterdir()
        if path.is_file() and not path.is_symlink() and path.read_bytes().startswith(b"#!")
    }
    assert {b"#!/opt/mergecast/bin/python"} == first_lines


def test_a_server_within_the_limits_of_the_unit(room: Room) -> None:
    """Simulations and forecasts, which start processes with limits of their own, still run."""
    unit = (DEPLOY / "systemd" / "mergecast.service").read_text(encoding="utf-8")
    (files,) = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
    confined = (*_CONFINED, "/opt/mergecast/bin/python", "-c", _NEVER_EXECUTE_WRITTEN, files, "mergecast")
    assert room.volume is not None
    recorded = room.volume / "7.json"
    recorded.write_text(json.dumps(record()), encoding="utf-8")
    recorded.chmod(0o644)
    document = "/opt/mergecast/lib/python3.11/site-packages/mergecast/demo/harbor.yml"

    simulated = room.run(*confined, "simulate", "acme/engine#7", "-f", document, "--snapshot", "/data/7.json")
    filled = room.run(*confined, "demo")
    forecast = room.run(*confined, "forecast", "demo/harbor", "--set", "batch_size=5")

    assert [0, 0, 0] == [one.returncode for one in (simulated, filled, forecast)], (
        simulated.stderr + filled.stderr + forecast.stderr
    )
    assert "rule" in simulated.stdout
    assert "batch_size" in forecast.stdout
    assert "PR_SET_MDWE" not in simulated.stderr


def _ended(process: "subprocess.CompletedProcess[str]") -> tuple[int, str]:
    return process.returncode, process.stdout + process.stderr
