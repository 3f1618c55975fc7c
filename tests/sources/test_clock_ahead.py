"""A source that was polled while the clock of the server was ahead misses nothing."""

import json

import pytest

from mergecast.incoming.connecting.added_sources import import_progress
from mergecast.incoming.intake.importing.importer import read_state
from mergecast.queues.model.instant import HOUR, MINUTE, format_instant
from sources.faulty_server import faulty_server
from sources.imports import SINCE, Setup
from sources.test_importing import NOW, PLATFORMS


@pytest.mark.parametrize("source", PLATFORMS)
def test_a_part_ends_when_the_clock_of_the_platform_says(source: str) -> None:
    """However far the clock of the server is ahead, also when it jumps between two polls."""
    with faulty_server(PLATFORMS[source]()) as server:
        setup = Setup(source, server)
        for minutes, ahead in ((0, 0), (5, 6 * HOUR), (10, 6 * HOUR), (15, 0)):
            server.date = NOW + minutes * MINUTE
            setup.now = server.date + ahead
            setup.once()

            (part,) = read_state(setup.sink.text).parts
            assert (SINCE, server.date, True) == (*part.window, part.is_read)
            assert import_progress(setup.sink.text, server.date) is None


@pytest.mark.parametrize("source", PLATFORMS)
@pytest.mark.parametrize("ahead", [0, 6 * HOUR])
def test_what_an_earlier_version_polled_ahead_of_its_time_is_read_again(source: str, ahead: int) -> None:
    """From a day before now; until then the source is not current. The clock may still be wrong."""
    with faulty_server(PLATFORMS[source]()) as server:
        server.date = NOW
        setup = Setup(source, server)
        setup.once()
        everything = dict(setup.sink.kept)
        setup.sink.kept.clear()
        (part,) = json.loads(setup.sink.text or "")["parts"]
        part["window"][1] = NOW + 6 * HOUR
        setup.sink.text = json.dumps({"parts": [part]})
        setup.now = NOW + ahead

        progress = import_progress(setup.sink.text, NOW)
        assert progress is not None
        assert (format_instant(SINCE), format_instant(NOW)) == (progress.start, progress.end)
        setup.once()

        (part_now,) = read_state(setup.sink.text).parts
        assert (SINCE, NOW, True) == (*part_now.window, part_now.is_read)
        assert import_progress(setup.sink.text, NOW) is None
        assert everything.keys() == setup.sink.kept.keys()  # all of it happened within the last day
