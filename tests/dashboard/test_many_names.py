"""Names that are long, that are written from right to left, or that are many."""

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_windows import Window
from builders import entered, left
from dashboard.screen import cut_off
from live_server import LiveServer

_LONG = "x" * 255
_HEBREW = "תור-עדיפות"
_EMOJI = "🚀🏳️‍🌈" * 20
_QUEUES = 60
pytestmark = pytest.mark.server


@pytest.fixture(scope="module", autouse=True)
def _named(demo: LiveServer) -> None:
    now = datetime.now(UTC).isoformat()
    names = ((_LONG, _LONG), (_HEBREW, "ענף-ראשי"), (_EMOJI, _EMOJI))
    events: list[dict[str, Any]] = []
    for number, (queue, branch) in enumerate(names, 1):
        of = {"queue_name": queue, "base_ref": branch}
        events += [
            entered(now, f"waits-{number}", number, **of),
            entered(now, f"left-{number}", number, **of),
        ]
        events.append(left(now, f"left-{number}", number, **of))
    demo.send(events, "acme/names").raise_for_status()
    many = [entered(now, f"many-{n}", n, queue_name=f"queue-{n:02}") for n in range(1, _QUEUES + 1)]
    many += [entered(now, f"full-{n}", 1000 + n, queue_name="queue-01") for n in range(150)]
    demo.send(many, "acme/many").raise_for_status()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("?open=queues.slowest", "Slowest stays"),
        ("/queue", "in queue"),
        ("/pulls/1", "Stay 1"),
        ("/ci-checks", "CI checks"),
    ],
)
def test_a_name_does_not_widen_a_page(signed_in: Window, path: str, shown: str) -> None:
    signed_in.page.set_viewport_size({"width": 360, "height": 800})
    signed_in.open(f"/r/acme/names{path}")
    signed_in.sees(shown)
    expect(signed_in.page.locator(".loading")).to_have_count(0)

    assert (360, []) == (signed_in.width(), cut_off(signed_in.page))
    signed_in.page.set_viewport_size({"width": 1024, "height": 800})
    assert (1024, []) == (signed_in.width(), cut_off(signed_in.page))


def test_a_name_from_right_to_left_keeps_the_order(signed_in: Window) -> None:
    """The queue stands left of the arrow and of its branch: on the pages of the queue and of a stay."""
    for path in ("/queue", "/pulls/2"):
        signed_in.open(f"/r/acme/names{path}")
        heading = signed_in.page.locator("h2", has_text=_HEBREW).first
        expect(heading).to_be_visible()
        queue, branch = (heading.locator("bdi").nth(place).bounding_box() for place in (0, 1))
        assert queue is not None
        assert branch is not None
        assert queue["x"] + queue["width"] <= branch["x"], path


def test_many_queues_come_in_pages_and_share_a_sentence(signed_in: Window) -> None:
    page = signed_in.page
    signed_in.open("/r/acme/many/queue")
    signed_in.sees(f"{_QUEUES + 150} pull requests in queue")

    expect(page.get_by_text("No expected merge:")).to_have_count(1)
    cards = page.locator("section.card h2")
    expect(cards).to_have_count(20)
    signed_in.sees("20 of 60 queues")
    page.get_by_role("button", name="Show more queues").click()
    expect(cards).to_have_count(40)

    full = page.get_by_role("region", name="Pull requests in queue-01").locator("tbody tr")
    expect(full).to_have_count(100)
    page.get_by_role("button", name="Show more pull requests").click()
    expect(full).to_have_count(151)
