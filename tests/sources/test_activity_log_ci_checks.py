"""The checks that the activity log lists become reports about CI checks."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergecast.incoming.sources.activity_log.deliveries import item_delivery
from mergecast.incoming.sources.unreadable import LONGEST_FIELDS
from mergecast.queues.model.delivery import Delivery
from sources.activity_log_pages import LogStory
from sources.ci_check_reports import lines_of, reasons_of, reports_of, translations_of
from sources.github_deliveries import clock


def _check(name: str, state: str, url: str | None = None) -> dict[str, Any]:
    return {"name": name, "state": state, "description": "", "url": url, "details_url": None}


def _deliveries(story: LogStory) -> list[Delivery]:
    return [
        item_delivery(str(item["id"]), item["type"], json.dumps(item).encode(), clock(9000))
        for item in story.items
    ]


def _story(**more: Any) -> LogStory:
    """A run is retried, and the second one passes."""
    story = LogStory()
    story.enter(0, 1, "a")
    story.start(4, 1, "a", "X", checked=9001)
    failed = [_check("unit", "failure", "https://ci.example/1"), _check("e2e", "error")]
    story.end(24, 1, "a", "X", "CHECKS_RETRIED", checked=9001, began=4, failed=failed)
    story.start(25, 1, "a", "X", checked=9002)
    story.end(45, 1, "a", "X", checked=9002, began=25, failed=[])
    checks = [_check("unit", "success"), _check("e2e", "stale"), _check("slow", "pending")]
    story.leave(55.5, 1, "a", "PR_MERGED", batch="X", **{"checks": checks, **more})
    return story


def test_ends_of_runs_list_what_failed_and_exits_list_everything() -> None:
    """The log does not say when a check began or ended."""
    assert sorted(lines_of(_deliveries(_story()))) == [
        "main X attempt 1  e2e  ? → ? → ?  failure",
        "main X attempt 1  unit  ? → ? → ?  failure  https://ci.example/1",
        "main X attempt 2  e2e  ? → ? → ?  cancelled",
        "main X attempt 2  unit  ? → ? → ?  success",
    ]


def test_members_of_a_batch_report_the_same_executions() -> None:
    """Each pull request of a batch repeats what the others say."""
    story = LogStory()
    for number, session in ((1, "a"), (2, "b")):
        story.enter(0, number, session)
        story.start(4, number, session, "X", members=[1, 2])
        failed = [_check("unit", "failure")]
        story.end(24, number, session, "X", "CHECKS_FAILED", members=[1, 2], began=4, failed=failed)
    reports = reports_of(_deliveries(story))

    assert 2 == len({report.id for report in reports})
    assert 1 == len({(report.batch_id, report.attempt, report.check_id) for report in reports})


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_order_and_repetition_do_not_matter(data: st.DataObject) -> None:
    told = _deliveries(_story())
    repeated = data.draw(st.lists(st.sampled_from(told), max_size=4))
    shuffled = data.draw(st.permutations([*told, *repeated]))

    assert reports_of(told) == reports_of(shuffled)


@pytest.mark.parametrize(
    "checks",
    [
        [_check("x" * 10_000, "success")],
        [_check(f"check {number} " + "y" * 200, "success") for number in range(1000)],
        [
            _check('"' * 300 + str(number), "failure", "https://ci.example/" + "z" * 400)
            for number in range(50)
        ],
        [_check("two\nlines", "failure")],
        [_check("odd", "astonished")],
        [_check("linked", "failure", "javascript:alert(1)")],
        "none",
        [None, 7],
        [{"name": 7, "state": []}],
    ],
)
def test_whatever_checks_an_entry_lists_its_event_stays_the_same(checks: Any) -> None:
    """An entry is never too long because of them."""
    told, plain = _deliveries(_story(checks=checks)), _deliveries(_story(checks=[]))

    assert [one.events for one in translations_of(plain).values()] == [
        one.events for one in translations_of(told).values()
    ]
    assert all(len(one.fields) <= LONGEST_FIELDS for one in told)
    assert all(1 <= len(report.name) <= 255 for report in reports_of(told))


def test_what_is_left_out_is_counted() -> None:
    many = [_check(f"check {number} " + "y" * 200, "success") for number in range(1000)]
    odd = [_check("two\nlines", "failure"), _check("odd", "astonished"), _check("e", "failure", "ftp://x")]

    assert reasons_of(_deliveries(_story(checks=many))) == [
        "an entry lists more CI checks than can be stored; the others are left out"
    ]
    assert reasons_of(_deliveries(_story(checks=odd))) == [
        "a CI check with the unknown conclusion 'astonished' is left out",
        "control, bidirectional or tag characters were removed from the name of a CI check",
        "the link of a CI check is not a web address of at most 500 characters",
    ]
