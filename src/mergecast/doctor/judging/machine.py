"""Judges the installation, the settings, the data folder and the machine."""

from collections.abc import Iterator, Mapping, Sequence

from mergecast.doctor.finding import Finding, error, ok, warning
from mergecast.doctor.observed import Folder, Unknown
from mergecast.process.memory import TooLittleMemory, check_address_space, check_memory

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


def judge_memory(limit: int | None, address_space: int, *, has_embedded_store: bool) -> Finding:
    """Limits under which a server does not start; `limit` is that of the control group, if there is one."""
    try:
        check_memory(limit)
        check_address_space(address_space, has_embedded_store=has_embedded_store)
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
                f"{message}: `check`, `simulate`, `schema` and `record` work, and commands with --url",
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
