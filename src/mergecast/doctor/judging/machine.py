"""Judges the installation, the settings, the data folder, the store, and the machine with its clock."""

from collections.abc import Iterator, Mapping, Sequence

from mergecast.doctor.finding import Finding, error, ok, warning
from mergecast.doctor.observed import Folder, Unknown
from mergecast.process.memory import TooLittleMemory, check_address_space, check_memory
from mergecast.queues.model.instant import MINUTE, duration, format_instant
from mergecast.queues.model.words import counted
from mergecast.queues.store.inspection import Inspection

_MIB, _GIB = 1 << 20, 1 << 30
_TOO_LITTLE = 100 * _MIB
_LITTLE = _GIB
_MOST_MEMORY = 1 << 50  # a control group of the first version has such a limit where it has none
_NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "lustre", "glusterfs", "9p", "ncpfs"}
    | {f"fuse.{name}" for name in ("sshfs", "glusterfs", "ceph", "s3fs", "rclone", "smbnetfs", "gcsfuse")}
)


def judge_settings(
    shown: Mapping[str, str], problems: Sequence[str], unknown: Sequence[str]
) -> Iterator[Finding]:
    """`shown` are the settings without secrets; `problems` and `unknown` say what is wrong with some."""
    if shown:
        yield ok("settings", ", ".join(f"{name}={value}" for name, value in shown.items()))
    else:
        yield ok("settings", "no MERGECAST_… variable is set, so every setting has its default")
    yield from (error("settings", problem) for problem in problems)
    yield from (warning("settings", message) for message in unknown)


def judge_folder(folder: Folder | Unknown, *, has_server_extra: bool) -> Finding:
    check = "data folder"
    if isinstance(folder, Unknown):
        return error(check, folder.reason, "its disk may not answer: look at `dmesg` and `mount`")
    if folder.owner is None:
        return _missing(folder, has_server_extra=has_server_extra)
    if not folder.is_folder:
        return error(
            check, f"{folder.path} is not a folder", "name another with --data-dir or MERGECAST_DATA_DIR"
        )
    if not folder.may_use:
        return _unusable(folder)
    if folder.file_system in _NETWORK_FILE_SYSTEMS:
        return warning(
            check,
            f"{folder.path} is on a network file system ({folder.file_system}), "
            "where locks and writes are not reliable",
            "move it to a local disk, or use PostgreSQL",
        )
    kind = f", {folder.file_system}" if folder.file_system else ""
    return ok(check, f"{folder.path}, owned by {folder.owner}, writable{kind}")


def _missing(folder: Folder, *, has_server_extra: bool) -> Finding:
    if folder.hidden_in is not None:
        return error(
            "data folder",
            f"{folder.user} may not look into {folder.hidden_in}",
            "run this as the user of the server, or give this user access to the folder",
        )
    level = error if has_server_extra else warning
    message = f"there is no folder {folder.path}"
    if not folder.may_use:
        return level(
            "data folder",
            f"{message}, and {folder.user} may not create it",
            "create it for the user of the server, or name another with --data-dir or MERGECAST_DATA_DIR",
        )
    return level(
        "data folder",
        message,
        "name the right one with --data-dir or MERGECAST_DATA_DIR, name a server with --url, "
        "or create a store with `mergecast serve` or `mergecast demo`",
    )


def _unusable(folder: Folder) -> Finding:
    message = f"{folder.user} may not read and write {folder.path}, which belongs to {folder.owner}"
    if folder.user == folder.owner:
        return error("data folder", message, f"run `chmod u+rwx {folder.path}`, or mount it writable")
    return error(
        "data folder",
        message,
        f"run this as {folder.owner} (`sudo -u {folder.owner} mergecast doctor`), "
        f"or give {folder.user} the folder with `chown`",
    )


def judge_disk(folder: Folder | Unknown) -> Iterator[Finding]:
    if isinstance(folder, Unknown):
        return
    free, place = folder.free_bytes, folder.path
    advice = "free some space, or move the data folder to a larger disk"
    if not folder.has_free_files:
        yield error(
            "disk", f"the file system of {place} has no free inodes, so no file can be created", advice
        )
    elif free < _TOO_LITTLE:
        yield error(
            "disk", f"only {amount(free)} free for {place}; deliveries get 503 when it is full", advice
        )
    elif free < _LITTLE:
        yield warning("disk", f"only {amount(free)} free for {place}", advice)
    else:
        yield ok("disk", f"{amount(free)} free")


def judge_memory(limit: int | None, address_space: int) -> Finding:
    """Limits under which a server does not start; `limit` is that of the control group, if there is one."""
    try:
        check_memory(limit)
        check_address_space(address_space)
    except TooLittleMemory as problem:
        return error("memory", str(problem))
    is_limited = limit is not None and limit < _MOST_MEMORY
    return ok("memory", f"limited to {amount(limit or 0)}" if is_limited else "not limited")


def judge_extras(missing: Sequence[str], *, has_dashboard: bool, uses_url: bool) -> Iterator[Finding]:
    """`missing` are the libraries of the server that are not installed."""
    if missing:
        message = f"the server is not installed ({missing[0]} is missing)"
        if uses_url:
            yield ok("installation", f"{message}; a server elsewhere is used")
        else:
            yield warning(
                "installation",
                f"{message}: `check`, `simulate`, `config schema` and `config record` work, "
                "and commands with --url",
                "install `mergecast[server]` to run a server or to open a data folder",
            )
        return
    yield ok("installation", "the server is installed")
    if uses_url:
        return
    if has_dashboard:
        yield ok("dashboard", "built")
    else:
        yield warning(
            "dashboard",
            "this installation has no dashboard; the HTTP API works without it",
            "run `scripts/install` in a clone, or install a released wheel",
        )


def amount(number: int) -> str:
    """A number of bytes in words.

    >>> amount(40 << 20), amount(3 << 30), amount(0)
    ('40 MiB', '3.0 GiB', '0 MiB')
    """
    return f"{number / _GIB:.1f} GiB" if number >= _GIB else f"{number // _MIB} MiB"


_TOLERATED_SECONDS_APART = 10.0  # an HTTP date has whole seconds, and an answer takes its time
_MOST_SECONDS_APART = 60.0  # GitHub refuses what a clock signs that is further ahead
_CLOCK_ADVICE = "set the clock of this machine with NTP (`timedatectl set-ntp true`)"


def judge_clock(
    ahead: Mapping[str, float], jumped_seconds: float, last_change_at: int | None, now: int
) -> Iterator[Finding]:
    """`ahead` says by how many seconds other clocks are ahead of this one."""
    found = [
        _compare(name, seconds) for name, seconds in ahead.items() if abs(seconds) > _TOLERATED_SECONDS_APART
    ]
    if abs(jumped_seconds) > 1:
        found.append(
            warning("clock", f"it was set by {jumped_seconds:+.0f} seconds during this check", _CLOCK_ADVICE)
        )
    if last_change_at is not None and last_change_at > now + MINUTE:
        found.append(
            error(
                "clock",
                f"the store was last changed at {format_instant(last_change_at)}, "
                "which this clock has not reached",
                _CLOCK_ADVICE,
            )
        )
    yield from found or [
        ok("clock", f"agrees with {', '.join(ahead)}" if ahead else "no other clock to compare with")
    ]


def _compare(name: str, seconds: float) -> Finding:
    level = error if abs(seconds) > _MOST_SECONDS_APART else warning
    side = "behind" if seconds > 0 else "ahead of"
    return level("clock", f"it is {duration(abs(seconds))} {side} that of {name}", _CLOCK_ADVICE)


_UTF8 = "UTF8"


def judge_store(found: Inspection | Unknown | None, place: str, *, is_database: bool) -> Iterator[Finding]:
    """`place` names the folder or the database; None means that there is no store in the folder."""
    check = "database" if is_database else "store"
    if found is None:
        yield error(
            check, f"there is no store in {place}", "`mergecast serve` and `mergecast demo` create one"
        )
    elif isinstance(found, Unknown):
        yield error(check, found.reason)
    else:
        yield ok(check, f"{found.software}, {_schema(found)}, {_content(found)}")
    if isinstance(found, Inspection):
        yield from _judge_encoding(found)
        yield from _judge_workers(found)


def _schema(found: Inspection) -> str:
    if found.schema == 0:
        return "no tables yet: `mergecast serve` creates them"
    if found.schema < found.known_schema:
        return f"schema {found.schema}, which the next start migrates to {found.known_schema}"
    return f"schema {found.schema}"


def _content(found: Inspection) -> str:
    return f"{counted(found.repositories, 'repository', 'repositories')}, {counted(found.events, 'event')}"


def _judge_encoding(found: Inspection) -> Iterator[Finding]:
    if found.encoding not in (None, _UTF8):
        yield error(
            "database",
            f"its encoding is {found.encoding}, which cannot store all characters",
            "create another with `createdb --encoding=UTF8 --template=template0`, and copy the data to it",
        )


def _judge_workers(found: Inspection) -> Iterator[Finding]:
    if not found.has_citus:
        return
    silent = [worker.address for worker in found.workers if not worker.answers]
    if silent:
        yield error(
            "database",
            f"no answer from {', '.join(silent)}, of {len(found.workers)} Citus workers; "
            "the repositories there cannot be read or changed",
            "start these workers, or see what they log",
        )
    elif found.workers:
        yield ok("database", f"all {len(found.workers)} Citus workers answer")
    else:
        yield warning("database", "this Citus cluster has no workers", "add them with `citus_add_node`")
