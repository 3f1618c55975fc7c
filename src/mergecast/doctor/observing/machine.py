"""What the machine says about the data folder and the port. Nothing is created, and no lock is kept."""

import os
import pwd
import re
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from mergecast.doctor.observed import Folder
from mergecast.process.data_folder import DataFolder, UnreadableFile

_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(r"\\([0-7]{3})")


def observe_folder(path: Path) -> Folder:
    path = Path(os.path.abspath(path))  # noqa: PTH100 - without `..`, and links as they are
    nearest = next(parent for parent in (path, *path.parents) if os.path.lexists(parent))
    room = os.statvfs(nearest)
    is_hidden = nearest != path and not os.access(nearest, os.X_OK, effective_ids=True)
    found = Folder(
        path,
        user=user_name(),
        owner=None if is_hidden or nearest != path else _owner(path),
        is_folder=not is_hidden and path.is_dir(),
        may_use=os.access(nearest, os.R_OK | os.W_OK | os.X_OK, effective_ids=True),
        file_system=file_system_of(nearest.resolve(), _mounts()),
        free_bytes=room.f_bavail * room.f_frsize,
        has_free_files=room.f_files == 0 or room.f_favail > 0,
        hidden_in=nearest if is_hidden else None,
    )
    if not found.is_folder or not found.may_use:
        return found
    return _with_owner(found)


def _with_owner(folder: Folder) -> Folder:
    """Also which process owns it, and where its server is."""
    data = DataFolder(folder.path)
    if not data.is_taken():
        return folder
    try:
        address = data.address()
    except UnreadableFile as error:
        return replace(folder, is_taken=True, server_problem=str(error))
    return replace(folder, is_taken=True, server=None if address is None else (address.url, address.token))


def why_not_listen(host: str, port: int) -> str | None:
    """Why a server could not listen there, if that is so."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            return error.strerror
    return None


def _owner(path: Path) -> str:
    """Of the folder that a link leads to: systemd keeps /var/lib/mergecast elsewhere."""
    try:
        return _name(path.stat().st_uid)
    except OSError:  # the link leads nowhere, or where this user may not look
        return _name(path.lstat().st_uid)


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def user_name() -> str:
    return _name(os.geteuid())


def _mounts() -> str:
    with suppress(OSError):
        return _MOUNTS.read_text(encoding="utf-8", errors="replace")
    return ""


def file_system_of(path: Path, mounts: str) -> str:
    r"""The type of the file system that a path is on, from the text of Linux's mountinfo.

    >>> mounts = "1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 0:5 / /my\\040data rw - nfs4 host:/x rw\n"
    >>> file_system_of(Path("/my data/store"), mounts), file_system_of(Path("/home"), mounts)
    ('nfs4', 'ext4')
    """
    best, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:  # noqa: PLR2004 - the fifth field is the mount point
            continue
        point = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[4]))
        if path.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), after.split(" ")[0]
    return kind
