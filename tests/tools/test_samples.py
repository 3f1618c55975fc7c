"""docs/alerts.md shows what commands print for the demo.

`UPDATE_GOLDEN=1` writes what the page shows; read the diff before you commit it.
"""

import os
import re
import shlex
from pathlib import Path

import pytest

from cli.program import mergecast
from live_server import TOKEN, LiveServer
from tools.conftest import REPOSITORY
from waiting import wait_until

pytestmark = [pytest.mark.server, pytest.mark.thorough]

_PAGE = Path(__file__).parents[2] / "docs" / "alerts.md"
_SAMPLE = re.compile(
    r"(<!-- checked by tests/tools/test_samples.py -->\n```\n\$ mergecast (.*)\n)(?:.*\n)*?(```\n)"
)


def test_the_page_shows_what_commands_print(demo: LiveServer, tmp_path: Path) -> None:
    page = _PAGE.read_text(encoding="utf-8")
    wait_until(lambda: demo.http.get(f"/v1/repos/{REPOSITORY}/alerts?state=all").json()["alerts"])

    def printed(sample: re.Match[str]) -> str:
        address = str(demo.http.base_url).rstrip("/")
        ending = mergecast(
            *shlex.split(sample[2]), data=tmp_path, MERGECAST_URL=address, MERGECAST_TOKEN=TOKEN
        )
        assert (0, "") == (ending.code, ending.err)
        lines = [line.rstrip() for line in ending.out.splitlines()]
        return sample[1] + "".join(f"{line}\n" for line in lines) + sample[3]

    expected, samples = _SAMPLE.subn(printed, page)
    if os.environ.get("UPDATE_GOLDEN"):
        _PAGE.write_text(expected, encoding="utf-8")
        page = expected

    assert expected == page
    assert 3 == samples
