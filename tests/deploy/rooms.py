"""Root folders with a program inside, run as a container engine would, and what is needed for that."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

# A root of Debian takes minutes to make, so an archive that `debian` has made can be used again.
_READY_MADE = os.environ.get("MERGECAST_TEST_ROOT")
_MOST_SECONDS = 300.0  # for one command, on a busy machine
_PACKAGES = {
    "mmdebstrap": "mmdebstrap",
    "buildah": "buildah",
    "unshare": "util-linux",
    "dpkg": "dpkg",
    "systemd-nspawn": "systemd-container",
}
# Python for the image and the package, and what boots.
_INCLUDED = "python3-venv,systemd-sysv,dbus,libnss-systemd"


def why_not(variable: str, *programs: str) -> str | None:
    """Why expensive tests are skipped, if they are: they were not asked for, or something is missing."""
    if not os.environ.get(variable):
        return f"takes minutes and some gigabytes of disk: set {variable}=1"
    if os.geteuid() != 0:
        return "needs root, to change the root folder of a process"
    for program in programs:
        if shutil.which(program) is None:
            return f"needs {program}, which Debian's package {_PACKAGES[program]} has"
    return None


def debian(folder: Path) -> Path:
    """An archive of Debian 12 with its Python and systemd."""
    if _READY_MADE:
        return Path(_READY_MADE)
    archive = folder / "debian.tar"
    run("mmdebstrap", "--quiet", "--variant=minbase", f"--include={_INCLUDED}", "bookworm", str(archive))
    return archive


def run(*command: str) -> str:
    """What a command prints; the test fails with its messages if it fails."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == ended.returncode, ended.stderr[-3000:]
    return ended.stdout


@dataclass(frozen=True, slots=True)
class Room:
    """A read-only root folder, and a volume at /data."""

    root: Path
    environment: Mapping[str, str]
    volume: Path | None = None
    user: str = "10001:10001"
    is_volume_read_only: bool = False
    before: Sequence[str] = field(default=())  # runs in the new mount namespace, before the program

    def command(self, *program: str) -> list[str]:
        root = self.root
        mounts = [
            f"mount --bind {root} {root}",
            f"mount -t proc proc {root}/proc",
            f"mount --rbind /sys {root}/sys",
            f"mount --rbind /dev {root}/dev",  # without /dev/null, no child process starts
        ]
        if self.volume:
            mounts.append(f"mount --bind {self.volume} {root}/data")
        if self.is_volume_read_only:
            mounts.append(f"mount -o remount,bind,ro {root}/data")
        variables = " ".join(f"'{name}={value}'" for name, value in self.environment.items())
        script = [
            *mounts,
            f"mount -o remount,bind,ro {root}",
            *self.before,
            f'exec chroot --userspec={self.user} {root} env -i {variables} "$@"',
        ]
        return ["unshare", "--mount", "sh", "-c", "set -e\n" + "\n".join(script), "sh", *program]

    def run(self, *program: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*program), capture_output=True, text=True, check=False, timeout=_MOST_SECONDS
        )
