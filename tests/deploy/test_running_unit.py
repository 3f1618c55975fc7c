"""The systemd unit of the Debian package, started by systemd itself in a container without a network.

This takes minutes and gigabytes, so it runs only if MERGECAST_TEST_DEB is set.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from deploy.files import ROOT
from deploy.rooms import debian, run, why_not
from mergecast import __version__

_MISSING = why_not("MERGECAST_TEST_DEB", "dpkg", "mmdebstrap", "systemd-nspawn")
pytestmark = [pytest.mark.thorough, pytest.mark.skipif(_MISSING is not None, reason=_MISSING or "")]
_MOST_SECONDS = 540.0
_SERVER = "http://127.0.0.1:8000"
_DOCUMENT = "/opt/mergecast/lib/python3.11/site-packages/mergecast/demo/harbor.yml"
_AS_ADMIN = f"MERGECAST_URL={_SERVER} MERGECAST_TOKEN=$(cat /var/lib/private/mergecast/admin-token)"


def _documented_doctor() -> str:
    """The command for a server of systemd on the troubleshooting page; the container has no sudo."""
    page = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^\| systemd \| `sudo (.*)` \|$", page, re.MULTILINE)
    return str(command)


# In this order; each is run by a shell of root.
_COMMANDS = {
    "ready": f"for i in $(seq 120); do mergecast admin ready --url {_SERVER} 2>&1 && break; sleep 1; done",
    "process": "cat /proc/$(systemctl show mergecast -p MainPID --value)/status",
    "doctor": _documented_doctor(),
    "demo": f"{_AS_ADMIN} mergecast demo",
    "forecast": f"{_AS_ADMIN} mergecast forecast demo/harbor --set batch_size=5",
    "simulate": f"{_AS_ADMIN} mergecast simulate demo/harbor -f {_DOCUMENT}",
    "timer": "systemctl is-active mergecast-backup.timer",
    "backup": "systemctl start mergecast-backup && ls /var/lib/mergecast-backups/",
    "stop": "systemctl stop mergecast && systemctl show mergecast -p Result --value",
    "doctor of none": _documented_doctor(),
    "purge": "dpkg --purge mergecast >/dev/null && ls /var/lib/private/mergecast",
}


class Ended(NamedTuple):
    code: int
    text: str


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Ended]]:
    """What the commands print in a machine that has just started."""
    found = sorted((ROOT / "dist").glob(f"mergecast_{__version__}-1_*.deb"))
    if not found:
        pytest.skip("there is no package: run scripts/build deb")
    folder = tmp_path_factory.mktemp("machine")
    root = folder / "root"
    try:
        root.mkdir()
        run("tar", "-xf", str(debian(folder)), "-C", str(root), "--exclude=./dev/*")
        shutil.copy(found[-1], root / "package.deb")
        run("chroot", str(root), "dpkg", "--install", "/package.deb")
        _prepare(root)
        _boot(root, folder / "console.log")
        yield {name: _ended(root, name) for name in _COMMANDS}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prepare(root: Path) -> None:
    """A unit that runs the commands and then switches the machine off."""
    units = root / "etc" / "systemd" / "system"
    lines = [
        f"({command}) > '/results/{name}' 2>&1 </dev/null; echo $? > '/results/{name}.code'"
        for name, command in _COMMANDS.items()
    ]
    (root / "results").mkdir()
    (root / "commands").write_text("\n".join([*lines, "systemctl poweroff"]), encoding="utf-8")
    (units / "commands.service").write_text(
        "[Unit]\nWants=mergecast.service\nAfter=mergecast.service dbus.service\n"
        "[Service]\nType=oneshot\nExecStart=/bin/sh /commands\nTimeoutStartSec=infinity\n",
        encoding="utf-8",
    )
    wanted = units / "multi-user.target.wants"
    wanted.mkdir(exist_ok=True)
    (wanted / "commands.service").symlink_to("../commands.service")


def _boot(root: Path, console: Path) -> None:
    command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network"]
    with console.open("wb") as output:
        ended = subprocess.run(
            [*command, "--directory", root, "--boot", "--console=pipe"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            check=False,
            timeout=_MOST_SECONDS,
        )
    said = console.read_text(encoding="utf-8", errors="replace")[-2000:]
    if not (root / "results" / "ready").exists():
        pytest.skip(f"systemd does not start in a container on this machine: {said}")
    assert 0 == ended.returncode, said


def _ended(root: Path, name: str) -> Ended:
    results = root / "results"
    code = (results / f"{name}.code").read_text(encoding="utf-8")
    return Ended(int(code), (results / name).read_text(encoding="utf-8"))


def test_the_unit_starts_a_server_without_rights(results: Mapping[str, Ended]) -> None:
    status = dict(line.split(":\t", 1) for line in results["process"].text.splitlines())

    assert "ready" == results["ready"].text.splitlines()[-1]
    assert ("1", "2", 16 * "0") == (status["NoNewPrivs"], status["Seccomp"], status["CapBnd"])
    assert "0" not in status["Uid"].split("\t")


def test_the_timer_of_backups_starts_with_the_server(results: Mapping[str, Ended]) -> None:
    assert (0, "active\n") == results["timer"]


def test_the_documented_doctor_examines_the_server(results: Mapping[str, Ended]) -> None:
    """As its user, with its settings and its folder."""
    lines = {" ".join(line.split()) for line in results["doctor"].text.splitlines()}

    assert 0 == results["doctor"].code, results["doctor"].text
    assert f"ok store open in the server at {_SERVER}" in lines
    assert "ok settings MERGECAST_DATA_DIR=/var/lib/mergecast" in lines
    assert [
        line for line in lines if line.startswith("ok data folder /var/lib/mergecast, owned by mergecast,")
    ]
    assert "no server is running on /var/lib/mergecast" in results["doctor of none"].text
    assert 0 == results["doctor of none"].code


def test_children_work_within_the_limits_of_the_unit(results: Mapping[str, Ended]) -> None:
    """Simulations and forecasts run in processes that limit themselves."""
    assert [0, 0, 0] == [results[name].code for name in ("demo", "forecast", "simulate")], results
    assert "batch_size" in results["forecast"].text
    assert "#" in results["simulate"].text


def test_a_backup_and_a_stop(results: Mapping[str, Ended]) -> None:
    """Purging the package leaves the data."""
    assert 0 == results["backup"].code, results["backup"].text
    assert re.fullmatch(r"mergecast-[0-9TZ-]+\.sqlite\n", results["backup"].text)
    assert Ended(0, "success\n") == results["stop"]
    assert "mergecast.sqlite\n" in results["purge"].text
