"""Control groups that limit the memory of a process, where the tests may create them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

_GROUPS = Path("/sys/fs/cgroup")


@contextmanager
def memory_group(limit: int) -> Iterator[Path]:
    """A group with a limit in bytes, of the version that this machine has; a process joins `cgroup.procs`."""
    is_old = (_GROUPS / "memory").is_dir()
    group = (_GROUPS / "memory" if is_old else _GROUPS) / f"mergecast-test-{os.getpid()}"
    try:
        group.mkdir()
        file = "memory.limit_in_bytes" if is_old else "memory.max"
        (group / file).write_text(str(limit), encoding="ascii")
    except OSError as error:
        pytest.skip(f"memory cannot be limited on this machine: {error}")
    try:
        yield group
    finally:
        with suppress(OSError):
            group.rmdir()
