"""`scripts/run` looks before it installs, stops when it is told to, and promises only what there is."""

import os
import signal
import socket
from pathlib import Path

import pytest

from ports import reserved_port
from scripts.clone import Clone
from waiting import MOST_SECONDS, wait_for

pytestmark = pytest.mark.server


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path / "clone")
    made.fill()
    made.plant_environment()
    return made


@pytest.mark.parametrize(
    "given", [["--host", "0.0.0.0"], ["--port"], ["--port", "http"], ["--port", "65536"], ["serve"]]
)
def test_wrong_arguments(clone: Clone, given: list[str]) -> None:
    ended = clone.run("scripts/run", *given)

    assert (2, "", "usage: scripts/run [--port N]\n") == (ended.code, ended.out, ended.err)


def test_a_port_in_use_is_found_before_anything_is_installed(clone: Clone) -> None:
    (clone.folder / ".venv/installed-server").unlink()
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = clone.run("scripts/run", "--port", port)

    message = f"Port {port} is in use by another program: choose another with scripts/run --port N.\n"
    assert (1, "", message) == (ended.code, ended.out, ended.err)
    assert [] == clone.called()


def test_ctrl_c_while_the_packages_of_the_dashboard_are_installed(clone: Clone) -> None:
    """npm ends by itself after Ctrl-C, and nothing else may begin."""
    pipe = clone.folder / "installing"
    os.mkfifo(pipe)
    clone.plant(
        "npm", f"trap 'exit 1' INT\necho now > {pipe}\nwhile :; do read -r _ < {pipe}; done 2>/dev/null"
    )
    with clone.started("scripts/run") as process:
        assert "now\n" == pipe.read_text(encoding="utf-8")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=MOST_SECONDS)

    assert (130, "", "installing the packages of the dashboard …\n") == (process.returncode, out, err)
    assert [] == clone.called()


def test_a_dashboard_that_cannot_be_built(clone: Clone) -> None:
    """The reason is shown, and no link is promised."""
    reason = "npm error EACCES: permission denied, mkdir '/nonexistent/.npm'"
    clone.plant("npm", f'case "$*" in *--silent*) ;; *) echo "{reason}" >&2 ;; esac\nexit 1')
    with clone.started("scripts/run", "--port", str(reserved_port(clone))) as process:
        shown = _shown_until_serving(process.stdout)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=MOST_SECONDS)

    assert [
        "installing the packages of the dashboard …",
        reason,
        "The dashboard could not be built, for the reason above; the server works without it.",
    ] == err.splitlines()
    assert "link" not in shown
    assert "There is no page to open, because the dashboard could not be built;" in shown


def test_ctrl_c_stops_the_server_with_one_signal(clone: Clone) -> None:
    """With a second one it would not wait for running requests."""
    port = reserved_port(clone)
    with clone.started("scripts/run", "--port", str(port)) as process:
        shown = _shown_until_serving(process.stdout)
        wait_for(True, lambda: "demo --live" in clone.called())
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=MOST_SECONDS)

    assert 0 == process.returncode
    assert ["demo", f"serve --port {port}", "demo --live", "SIGTERM"] == clone.called()
    assert "or open the link below in a browser." in shown


def test_a_second_start_names_the_server_that_runs(clone: Clone) -> None:
    """Its port is in use, but not by another program."""
    port = reserved_port(clone)
    with clone.started("scripts/run", "--port", str(port)) as process:
        _shown_until_serving(process.stdout)
        with socket.create_server(("127.0.0.1", port)):
            second = clone.run("scripts/run", "--port", str(port))

    assert (0, "A server is already running: open ") == (second.code, second.out.splitlines()[-1])


def _shown_until_serving(stream: object) -> str:
    lines = []
    for line in stream:  # type: ignore[attr-defined]
        lines.append(line)
        if line.startswith("mergecast is serving"):
            break
    return "".join(lines)
