"""A data folder that cannot be used: the message says why, and what to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.program import mergecast

_OTHER = "or name another folder with --data-dir or MERGECAST_DATA_DIR\n"
_STRANGER = 65_534
# Everything is imported before the process changes its user, who may not be able to read the files.
_TAKE = """\
import os, sys
from pathlib import Path
from mergecast.process.data_folder import DataFolder, UnusableFolder
os.setuid(int(sys.argv[2]))
try:
    DataFolder(Path(sys.argv[1])).take()
except UnusableFolder as error:
    print(error)
"""


@pytest.mark.parametrize("place", ["file", "file/data"])
def test_a_file_in_its_place(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    data = tmp_path / place

    ended = mergecast("demo", data=data)

    message = (
        f"mergecast: the data folder `{data}` cannot be used: {data} is not a folder; remove it, {_OTHER}"
    )
    assert (2, message) == (ended.code, ended.err)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("place", [".", "data"])
def test_a_folder_of_another_user(tmp_path: Path, place: str) -> None:
    """As in a container with another user id than the volume belongs to."""
    data = tmp_path / place
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)

    ended = subprocess.run(
        [sys.executable, "-c", _TAKE, str(data), str(_STRANGER)], capture_output=True, text=True, check=True
    )

    assert (
        f"the data folder `{data}` cannot be used: user id {_STRANGER} may not write to it; "
        f"give it to that user with `chown -R {_STRANGER} {data}`, {_OTHER}"
    ) == ended.stdout
