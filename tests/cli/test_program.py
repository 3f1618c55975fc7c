"""What tests read of a command: what it prints, not what a server in another thread logs meanwhile."""

import io
from contextlib import redirect_stderr

from logged_secrets import LOGGED
from mergecast.process.logs import write_lines


def test_a_line_logged_while_a_command_runs() -> None:
    """A server writes its log lines in batches, so those of an earlier request can come at any time."""
    printed = io.TextIOWrapper(io.BytesIO())
    before = len(LOGGED.getvalue())

    with redirect_stderr(printed):
        write_lines(b'{"event": "answered"}\n')

    printed.seek(0)
    assert printed.read() == ""
    assert LOGGED.getvalue()[before:] == b'{"event": "answered"}\n'
