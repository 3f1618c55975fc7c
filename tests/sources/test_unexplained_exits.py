"""An import waits only for those that left the queue a moment ago, and says for whom."""

import pytest

from mergecast.incoming.intake.importing.importer import OpenStay
from mergecast.incoming.platform.patient import Waiting
from mergecast.incoming.sources.page import Place
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND
from sources.faulty_server import faulty_server
from sources.imports import NOW, Setup
from sources.platforms import GitHubPlatform


def _platform(*numbers: int) -> GitHubPlatform:
    """These entered an hour ago; they are not queued, and no one says why."""
    platform = GitHubPlatform()
    for number in numbers:
        platform.added(number, 540)
    return platform


def _absent(setup: Setup) -> list[int]:
    return sorted(item.body["number"] for item in setup.sink.kept.values() if item.kind == "absent")


def test_who_left_long_ago_is_reported_at_once_and_the_others_after_a_minute() -> None:
    """The minute begins with the last event of the stay, not with the import."""
    with faulty_server(_platform(7, 8, 9)) as server:
        setup, reported = Setup("github", server), list[list[int]]()
        setup.sink.open = [OpenStay(Place("main", number), NOW - HOUR) for number in (7, 8, 9)]
        setup.last_events = {7: NOW - 2 * MINUTE, 8: NOW - 20 * SECOND, 9: NOW - 15 * SECOND}
        setup.on_sleep = lambda: reported.append(_absent(setup))
        setup.once()

    assert [45.0] == setup.slept
    reason = "#8, #9 left the queue a moment ago, and GitHub may still say why"
    assert [Waiting(reason, 45.0)] == setup.waits
    assert [[7]] == reported
    assert [7, 8, 9] == _absent(setup)


@pytest.mark.parametrize("numbers", [(), (7,)])
def test_an_import_does_not_wait_if_no_one_left_a_moment_ago(numbers: tuple[int, ...]) -> None:
    with faulty_server(_platform(*numbers)) as server:
        setup = Setup("github", server)
        setup.sink.open = [OpenStay(Place("main", number), NOW - HOUR) for number in numbers]
        setup.last_events = {7: NOW - MINUTE}
        setup.once()

    assert ([], []) == (setup.slept, setup.waits)
    assert list(numbers) == _absent(setup)
