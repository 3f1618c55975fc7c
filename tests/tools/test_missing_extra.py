"""Without the extra `mcp`, a server and the command say how to install it."""

import sys
from pathlib import Path

import pytest

from cli.program import mergecast
from live_server import LiveServer
from tools.messages import post


def test_a_server_without_the_sdk_has_no_tools(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else works, and a wrong credential is still 401."""
    monkeypatch.delitem(sys.modules, "mergecast.api.mcp_protocol", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.streamable_http_manager", None)
    answer = post(server, "tools/list")

    detail = "this server does not speak MCP: install it with `pip install 'mergecast[mcp]'`"
    assert (404, detail) == (answer.status_code, answer.json()["detail"])
    assert 401 == post(server, "tools/list", token="made-up").status_code
    assert 200 == server.http.get("/v1/repos").status_code


def test_the_command_without_the_sdk_ends_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.stdio", None)
    ending = mergecast("mcp", data=tmp_path)

    message = "this needs the extra `mcp`, which is not installed (mcp is missing): install it with"
    assert 2 == ending.code
    assert f"{message} `pip install 'mergecast[mcp]'`" in ending.err
