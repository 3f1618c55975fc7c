"""How much memory the server needs, and whether it may use as much."""

import resource
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from mergecast.errors import MergecastError

_MIB = 1 << 20
# Address space of the process when many requests run at once: 18 threads reserve much more than they use.
_ADDRESS_SPACE = 1_536 * _MIB
# An idle server takes 105 MiB. A child that reads a document or computes a forecast needs as much again.
_LEAST_MEMORY = 256 * _MIB


class TooLittleMemory(MergecastError):
    """The process may not use as much memory or address space as the server needs."""


def check_memory(limit: int | None) -> None:
    """Refuse a limit under which the kernel would kill the process without a word, at the start or later."""
    if limit is not None and limit < _LEAST_MEMORY:
        raise TooLittleMemory(
            f"the server needs at least {_LEAST_MEMORY // _MIB} MiB of memory, and its control group has "
            f"{limit // _MIB} MiB; raise the limit (MemoryMax= of systemd, --memory of Docker, "
            "resources.limits.memory of Kubernetes)"
        )


def memory_limit(
    groups: Path = Path("/sys/fs/cgroup"), membership: Path = Path("/proc/self/cgroup")
) -> int | None:
    """The lowest limit of the control groups that the process is in, in bytes; None without one."""
    limits = [int(text) for text in _limits(groups, membership) if text.isdecimal()]
    return min(limits, default=None)


def _limits(groups: Path, membership: Path) -> Iterator[str]:
    """What the files of the groups say, in both versions. A container may see only the last one."""
    try:
        lines = membership.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        root, name = (groups / "memory", "memory.limit_in_bytes") if controllers else (groups, "memory.max")
        group = PurePosixPath(path.lstrip("/"))
        for folder in (group, *group.parents):
            try:
                yield (root / folder / name).read_text(encoding="ascii").strip()
            except OSError:
                continue


def check_address_space(limit: int) -> None:
    """Refuse a limit (`ulimit -v`) under which requests would fail and the process would die."""
    if limit != resource.RLIM_INFINITY and limit < _ADDRESS_SPACE:
        raise TooLittleMemory(
            f"the server needs {_ADDRESS_SPACE // _MIB:,} MiB of address space, and this process is limited "
            f"to {limit // _MIB:,} MiB; raise the limit with `ulimit -v {_ADDRESS_SPACE >> 10}` or "
            "`ulimit -v unlimited`. It uses much less memory than address space: to limit its memory, "
            "use a control group, such as MemoryMax= of systemd or --memory of Docker"
        )


def address_space_limit() -> int:
    """In bytes."""
    return resource.getrlimit(resource.RLIMIT_AS)[0]
