"""The lines that an import writes to a pipe."""

import pytest

from mergecast.cli.import_display import ImportDisplay
from mergecast.incoming.intake.importing.following import FollowState
from mergecast.incoming.intake.importing.importer import Progress
from mergecast.incoming.platform.patient import Waiting
from mergecast.queues.model.instant import DAY, MINUTE, Window, parse_instant

_END = parse_instant("2026-03-11T00:00:00Z")
_CLEAR = "\r\x1b[K"
_WINDOW = Window(_END - 10 * DAY, _END)


@pytest.mark.parametrize(
    ("days", "line"),
    [
        (5, "back to 2026-03-06 01:00, 400 items read, about 20s left\n"),
        # The first page may not reach back at all.
        (0, "back to 2026-03-11 01:00, 400 items read\n"),
        # The last page may end with entries from before the window.
        (12, "back to 2026-02-27 01:00, 400 items read, about 0s left\n"),
    ],
)
def test_the_estimate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, days: int, line: str
) -> None:
    """After 20 seconds, in the local time zone."""
    monkeypatch.setenv("TZ", "Europe/Paris")
    clock = iter([0.0, *[20.0] * 3]).__next__
    ImportDisplay(clock).progress(Progress(_WINDOW, _END - days * DAY, 400))

    assert line == capsys.readouterr().err


def test_requests_that_wait_together_say_so_once(capsys: pytest.CaptureFixture[str]) -> None:
    """A later wait is a new one."""
    display = ImportDisplay(iter([0.0, 1.0, 1.2, 9.0]).__next__)
    for _ in range(3):
        display.waiting(Waiting("the rate limit is used up", 7))

    assert "waiting 7s: the rate limit is used up\n" * 2 == capsys.readouterr().err


def test_a_terminal_shows_one_line_of_state_below_other_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is cut to the width of the terminal, and an error that stays is shown once."""
    monkeypatch.setenv("TZ", "Europe/Paris")
    monkeypatch.setenv("COLUMNS", "45")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    display = ImportDisplay()
    display.following(FollowState(_END, _END + MINUTE, _END, stored=1))
    display.waiting(Waiting("the rate limit is used up", 7))
    for minutes in (1, 3):
        polled_at = _END + minutes * MINUTE
        display.following(FollowState(polled_at, polled_at + 2 * MINUTE, _END, error="it answered 502"))
    display.end()

    assert (
        f"{_CLEAR}2026-03-11 01:00  1 new item, next poll at 2"
        f"{_CLEAR}waiting 7s: the rate limit is used up\n"
        "it answered 502\n"
        f"{_CLEAR}2026-03-11 01:01  failed, next try at 2026-0"
        f"{_CLEAR}2026-03-11 01:03  failed, next try at 2026-0\n"
    ) == capsys.readouterr().err
