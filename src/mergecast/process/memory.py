"""How much memory the server needs, and whether it may use as much."""

import resource

from mergecast.errors import MergecastError

_MIB = 1 << 20
# Address space of the process when many requests run at once: 18 threads reserve much more than they use.
_PROCESS = 1_536 * _MIB
_EMBEDDED_STORE = 768 * _MIB  # the most that DuckDB uses for data


class TooLittleMemory(MergecastError):
    """The process may not use as much address space as the server needs."""


def check_address_space(limit: int, *, has_embedded_store: bool) -> None:
    """Refuse a limit (`ulimit -v`) under which requests would fail and the process would die."""
    needed = _PROCESS + (_EMBEDDED_STORE if has_embedded_store else 0)
    if limit != resource.RLIM_INFINITY and limit < needed:
        raise TooLittleMemory(
            f"the server needs {needed // _MIB:,} MiB of address space, and this process is limited to "
            f"{limit // _MIB:,} MiB; raise the limit with `ulimit -v {needed >> 10}` or "
            "`ulimit -v unlimited`. It uses much less memory than address space: to limit its memory, "
            "use a control group, such as MemoryMax= of systemd or --memory of Docker"
        )


def address_space_limit() -> int:
    """In bytes."""
    return resource.getrlimit(resource.RLIMIT_AS)[0]
