"""The interactive API page, in a real browser."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from live_server import LiveServer
from mergecast.stats.published import STATISTICS

CHROMIUM = shutil.which("chromium")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--virtual-time-budget=5000", "--dump-dom",
)  # fmt: skip


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt install chromium)")
def test_the_page_lists_every_operation_without_internet_access(server: LiveServer, tmp_path: Path) -> None:
    """The page renders the OpenAPI document of the running server."""
    assert CHROMIUM is not None
    command = [CHROMIUM, *_FLAGS, f"--user-data-dir={tmp_path / 'profile'}", f"{server.url}/docs"]

    drawn = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout

    paths = set(server.http.get("/v1/openapi.json").json()["paths"])
    assert len(paths) > len(STATISTICS)
    assert [] == [path for path in sorted(paths) if path not in drawn]


def test_the_page_names_no_other_host(server: LiveServer) -> None:
    """The page loads nothing from other hosts."""
    page = server.http.get("/docs").text

    assert [] == re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", page)
