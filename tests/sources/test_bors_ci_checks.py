"""The checks that bors-ng lists in its replies become reports about CI checks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.incoming.sources.bors.replies import listed_checks
from mergecast.incoming.sources.unreadable import LONGEST_FIELDS
from sources.bors_queue import BorsQueue, deliveries, translations
from sources.bors_stories import STORIES
from sources.ci_check_reports import as_line


def _lines(queue: BorsQueue) -> list[str]:
    """The reports; batches are named by the minute and the second at which they ended."""
    reports = [report for one in translations(queue.items()).values() for report in one.ci_checks]
    return sorted(as_line(report._replace(batch_id=report.batch_id[14:])) for report in reports)


def _reasons(queue: BorsQueue) -> list[str]:
    return [missing.reason for one in translations(queue.items()).values() for missing in one.untranslated]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Build failed:\n  * [unit](https://ci.test/1)\n  * lint\n", ["unit", "lint"]),
        ("# Build failed\r\n  * [ci: a/b](https://ci.test/1)\r\n  * lint\r\n", ["ci: a/b", "lint"]),
        ("Build failed:\n  * [a [b]](https://ci.test/1)\n  * [c](https://ci.test/1)\n  * c", ["a [b]", "c"]),
        ("Build succeeded!\n\n*And happy new year! 🎉*\n\n\n  * Build", ["Build"]),
        ("Build failed:\n  * \n  *\nFix if necessary, and run `bors r+` again.", []),
        ("Timed out.", []),
    ],
)
def test_a_reply_lists_checks(text: str, names: list[str]) -> None:
    assert names == [check.name for check in listed_checks(text)]


def test_a_failed_run_lists_what_failed_and_a_run_that_passed_lists_everything() -> None:
    """One member of a batch reports for all; the bot does not say when a check began or ended."""
    queue = BorsQueue()
    queue.says(1, 0, "bors r+")
    queue.says(2, 0.1, "bors r+")
    queue.replies(20, "Build failed (retrying...):\n  * [unit](https://ci.test/1)\n  * lint", 1, 2)
    queue.replies(40, "Build succeeded:\n  * [unit](https://ci.test/2)\n  * lint\n  * docs", 1)
    queue.replies(60, "Build failed:\n  * [unit](https://ci.test/3)", 2)

    assert [
        "main 20:00Z# attempt 1  lint  ? → ? → ?  failure  required",
        "main 20:00Z# attempt 1  unit  ? → ? → ?  failure  https://ci.test/1  required",
        "main 40:00Z# attempt 1  docs  ? → ? → ?  success  required",
        "main 40:00Z# attempt 1  lint  ? → ? → ?  success  required",
        "main 40:00Z# attempt 1  unit  ? → ? → ?  success  https://ci.test/2  required",
        "main 00:00Z# attempt 1  unit  ? → ? → ?  failure  https://ci.test/3  required",
    ] == sorted(_lines(queue), key=lambda line: (line.startswith("main 00"), line))


def test_a_timeout_and_a_canceled_run_name_no_checks() -> None:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(60, "Timed out.", 7)
    queue.says(7, 70, "bors r+")
    queue.replies(80, "Canceled.\n  * unit", 7)

    assert [] == _lines(queue)


def test_names_and_links_that_cannot_be_stored_are_counted() -> None:
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(20, "Build failed:\n  * [un\u202eit](javascript:alert)\n  * \u200b\n  * a\0b", 7)

    assert [
        "main 20:00Z# attempt 1  ab  ? → ? → ?  failure  required",
        "main 20:00Z# attempt 1  unit  ? → ? → ?  failure  required",
    ] == _lines(queue)
    changed = "control, bidirectional or tag characters were removed from the name of a CI check"
    assert [
        changed,
        "the link of a CI check is not a web address of at most 500 characters",
        "a CI check without a name is left out",
        changed,
    ] == _reasons(queue)


@pytest.mark.parametrize("name", ['"\\' * 50, "\x01" * 99 + "a", "é" * 100])
def test_a_reply_with_very_many_checks_is_stored(name: str) -> None:
    """A reply ends the run, whatever it lists; half a line is no name."""
    queue = BorsQueue()
    queue.says(7, 0, "bors r+")
    queue.replies(20, "Build failed:\n" + "".join(f"  * {place:03}{name}\n" for place in range(100)), 7)

    assert all(one.thread == "7" and len(one.fields) < LONGEST_FIELDS for one in deliveries(queue.items()))
    (translation,) = translations(queue.items()).values()
    assert ["queue_entered", "checks_started", "checks_ended", "queue_left"] == [
        event.type for event in translation.events
    ]
    shown = name.replace("\x01", "")
    expected = [f"{place:03}{shown}" for place in range(len(translation.ci_checks))]
    assert expected == [report.name for report in translation.ci_checks]
    assert 30 < len(expected) < 100


@given(data=st.data())
@settings(max_examples=50, deadline=None)
@pytest.mark.thorough
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    """Each execution is reported once, by a run that the events have, too."""
    items = data.draw(st.sampled_from(STORIES))().items()
    repeated = data.draw(st.lists(st.sampled_from(items), max_size=5))
    whole, shuffled = translations(items), translations(data.draw(st.permutations([*items, *repeated])))

    assert whole == shuffled
    reports = [report for one in whole.values() for report in one.ci_checks]
    ended = {event.batch_id for one in whole.values() for event in one.events if event.outcome}
    assert len(reports) == len({report.id for report in reports})
    assert {report.batch_id for report in reports} <= ended
