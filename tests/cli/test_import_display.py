"""The lines that an import writes to a pipe."""

import pytest

from mergecast.cli.import_display import ImportDisplay
from mergecast.model.instant import DAY, parse_instant
from mergecast.model.window import Window
from mergecast.platform.patient import Waiting
from mergecast.sources.importer import Progress

_END = parse_instant("2026-03-11T00:00:00Z")
_WINDOW = Window(_END - 10 * DAY, _END)


@pytest.mark.parametrize(
    ("days", "line"),
    [
        (5, "back to 2026-03-06 01:00, 400 items read, about 20.0s left\n"),
        # The last page may end with entries from before the window.
        (12, "back to 2026-02-27 01:00, 400 items read, about 0.0s left\n"),
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

    assert "waiting 7.0s: the rate limit is used up\n" * 2 == capsys.readouterr().err
