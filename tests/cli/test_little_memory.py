"""A server that may use too little memory does not start, and says how much it needs."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from memory_groups import memory_group
from mergecast.process.memory import TooLittleMemory, check_address_space, check_memory, memory_limit

_MIB = 1 << 20
_TOO_LITTLE = (
    "the server needs at least 256 MiB of memory, and its control group has 128 MiB; raise the limit "
    "(MemoryMax= of systemd, --memory of Docker, resources.limits.memory of Kubernetes)"
)


def test_a_server_that_may_use_too_little_memory_does_not_start(tmp_path: Path) -> None:
    """Before it creates or opens a store."""
    data, limit = tmp_path / "data", 1_000 * _MIB

    ended = subprocess.run(
        [sys.executable, "-m", "mergecast", "serve", "--data-dir", str(data), "--port", "0"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )

    message = (
        "mergecast: the server needs 1,536 MiB of address space, and this process is limited to 1,000 MiB; "
        "raise the limit with `ulimit -v 1572864` or `ulimit -v unlimited`. It uses much less memory than "
        "address space: to limit its memory, use a control group, such as MemoryMax= of systemd or --memory "
        "of Docker\n"
    )
    assert (1, message, "") == (ended.returncode, ended.stderr, ended.stdout)
    assert not data.exists()


def test_how_much_is_enough() -> None:
    check_address_space(1_536 * _MIB)
    with pytest.raises(TooLittleMemory, match="the server needs 1,536 MiB of address space"):
        check_address_space(1_536 * _MIB - 1)


def test_no_limit_is_enough() -> None:
    check_address_space(resource.RLIM_INFINITY)


@pytest.mark.parametrize(
    ("files", "limit"),
    [
        ({"cgroup": "0::/app/web\n", "app/web/memory.max": "max", "app/memory.max": "1000"}, 1000),
        ({"cgroup": "0::/\n", "memory.max": "2000\n"}, 2000),
        ({"cgroup": "0::/outside\n", "memory.max": "3000\n"}, 3000),
        ({"cgroup": "4:memory:/app\n0::/\n", "memory/app/memory.limit_in_bytes": "4000"}, 4000),
        ({"cgroup": "9:cpu,cpuacct:/app\n", "memory/app/memory.limit_in_bytes": "5000"}, None),
        ({"cgroup": "0::/app\n", "app/memory.max": "max"}, None),
        ({}, None),
    ],
)
def test_the_limit_of_control_groups(tmp_path: Path, files: dict[str, str], limit: int | None) -> None:
    """The lowest of a group and those around it, in both versions; a container sees paths from outside."""
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    assert limit == memory_limit(tmp_path, tmp_path / "cgroup")


def _with_little_memory(command: str, data: Path) -> "subprocess.CompletedProcess[str]":
    with memory_group(128 * _MIB) as group:
        return subprocess.run(
            [
                *("sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"),
                *(sys.executable, "-m", "mergecast", command, "--data-dir", str(data)),
            ],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "MERGECAST_GITHUB_URL": "", "MERGECAST_PORT": "0"},
        )


def test_a_server_in_a_small_control_group_does_not_start(tmp_path: Path) -> None:
    """Otherwise the kernel would kill it without a word."""
    ended = _with_little_memory("serve", tmp_path / "data")

    assert (1, f"mergecast: {_TOO_LITTLE}\n", "") == (ended.returncode, ended.stderr, ended.stdout)
    assert not (tmp_path / "data").exists()


def test_doctor_says_that_memory_is_too_little(tmp_path: Path) -> None:
    ended = _with_little_memory("doctor", tmp_path / "data")

    assert (1, "") == (ended.returncode, ended.stderr)
    assert f"error    memory        {_TOO_LITTLE}" in ended.stdout.splitlines()


def test_how_much_memory_is_enough() -> None:
    check_memory(None)
    check_memory(256 * _MIB)
    with pytest.raises(TooLittleMemory) as refused:
        check_memory(100 * _MIB)

    assert _TOO_LITTLE.replace("128", "100") == str(refused.value)
