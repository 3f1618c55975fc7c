"""The last stage of the image, built on Debian's Python without a package index, and run like a container.

This takes minutes and gigabytes, so it runs only if MERGECAST_TEST_IMAGE is set.
"""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from deploy.files import ROOT
from deploy.rooms import Room, debian, run, why_not
from memory_groups import memory_group
from mergecast import __version__
from waiting import MOST_SECONDS, wait_until

_MISSING = why_not("MERGECAST_TEST_IMAGE", "buildah", "mmdebstrap", "unshare")
pytestmark = [
    pytest.mark.server,
    pytest.mark.thorough,
    pytest.mark.skipif(_MISSING is not None, reason=_MISSING or ""),
]


@dataclass(frozen=True, slots=True)
class Image:
    config: dict[str, Any]
    root: Path

    def room(self, volume: Path, **settings: str) -> Room:
        """A container with the image's user and settings, and a root that cannot be written to."""
        environment = dict(variable.split("=", 1) for variable in self.config["Env"])
        return Room(self.root, environment | settings, volume, self.config["User"])


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    folder = tmp_path_factory.mktemp("image")
    context = _context(folder / "context")
    storage = ["--root", str(folder / "storage"), "--runroot", str(folder / "run"), "--storage-driver", "vfs"]
    buildah = ["buildah", *storage]
    try:
        base = run(*buildah, "from", "--name", "base", "scratch").strip()
        run(*buildah, "add", "--quiet", base, str(debian(folder)), "/")
        run(*buildah, "commit", "--quiet", "--format", "docker", base, "debian-python")
        run(
            *(*buildah, "bud", "--target", "server", "--format", "docker", "--isolation", "chroot"),
            *("--build-arg", "PYTHON_IMAGE=localhost/debian-python", "--build-arg", "WHEEL=released"),
            *("--build-arg", "PIP_NO_INDEX=1", "--tag", "mergecast", str(context)),
        )
        config = json.loads(run(*buildah, "inspect", "--type", "image", "mergecast"))["Docker"]["config"]
        run(*buildah, "from", "--name", "mergecast", "localhost/mergecast")
        yield Image(config, Path(run(*buildah, "mount", "mergecast").strip()))
    finally:
        subprocess.run([*buildah, "rm", "--all"], capture_output=True, check=False)
        shutil.rmtree(folder, ignore_errors=True)


def _context(folder: Path) -> Path:
    """What a build reads: the wheel in dist/, and the libraries in dist/wheels."""
    (folder / "dist").mkdir(parents=True)
    wheel = ROOT / "dist" / f"mergecast-{__version__}-py3-none-any.whl"
    if not wheel.is_file():
        pytest.skip("there is no wheel: run scripts/build")
    shutil.copy(wheel, folder / "dist")
    shutil.copy(ROOT / "Dockerfile", folder)
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    run(
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"),
        *("--dest", str(folder / "dist" / "wheels"), "--requirement", str(ROOT / "requirements/server.txt")),
    )
    return folder


@pytest.fixture
def volume(tmp_path: Path) -> Path:
    """A volume of the image's user."""
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.chown(folder, 10_001, 10_001)
    return folder


def test_what_the_image_says_about_itself(image: Image) -> None:
    config = image.config

    assert ("10001:10001", ["mergecast", "serve"]) == (config["User"], config["Cmd"])
    assert ["CMD", "python", "-I", "-m", "mergecast", "admin", "ready"] == config["Healthcheck"]["Test"]
    assert (["8000/tcp"], ["/data"]) == (list(config["ExposedPorts"]), list(config["Volumes"]))
    assert {
        "org.opencontainers.image.title": "Mergecast",
        "org.opencontainers.image.version": __version__,
        "org.opencontainers.image.licenses": "Apache-2.0",
    }.items() <= config["Labels"].items()


def test_a_container_with_a_read_only_root(image: Image, volume: Path) -> None:
    """It becomes ready, shows the dashboard, simulates a document, and stops when it is asked to."""
    room = image.room(volume, MERGECAST_PORT="0")
    check = image.config["Healthcheck"]["Test"][1:]
    document = "/opt/mergecast/lib/python3.11/site-packages/mergecast/demo/harbor.yml"
    with subprocess.Popen(room.command(*image.config["Cmd"]), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert "mergecast is serving http://0.0.0.0:" in server.stdout.readline()
            wait_until(lambda: room.run(*check).returncode == 0, "that the container is healthy", pause=1)
            told = [server.stdout.readline() for _ in range(2)]
            checked = room.run("mergecast", "check", document)
        finally:
            server.send_signal(signal.SIGTERM)
            # Without open requests it stops at once; a container engine waits 10 seconds.
            assert 0 == server.wait(timeout=MOST_SECONDS)

    assert (3, "") == (room.run(*check).returncode, room.run(*check).stdout)
    assert told[1].startswith("to sign in, open http://127.0.0.1:")
    assert (0, "") == (checked.returncode, checked.stderr)


def test_a_volume_of_another_user(image: Image, volume: Path) -> None:
    room = replace(image.room(volume), user="20002:20002")

    ended = room.run("mergecast", "serve")

    assert (
        2,
        _unusable("user id 20002 may not write to it; give it to that user with `chown -R 20002 /data`"),
    ) == (
        ended.returncode,
        ended.stderr,
    )


def test_a_read_only_volume(image: Image, volume: Path) -> None:
    room = replace(image.room(volume), is_volume_read_only=True)

    ended = room.run("mergecast", "serve")

    assert (2, _unusable("its file system is read-only; mount a writable volume there")) == (
        ended.returncode,
        ended.stderr,
    )


def _unusable(why: str) -> str:
    return (
        f"mergecast: the data folder `/data` cannot be used: {why}, "
        "or name another folder with --data-dir or MERGECAST_DATA_DIR\n"
    )


def test_little_memory(image: Image, volume: Path) -> None:
    """Instead of being killed without a word."""
    with memory_group(100 << 20) as group:
        room = replace(image.room(volume), before=[f"echo $$ > {group}/cgroup.procs"])
        ended = room.run("mergecast", "serve")

    message = "mergecast: the server needs at least 256 MiB of memory, and its control group has 100 MiB;"
    assert (1, message) == (ended.returncode, ended.stderr[: len(message)])
