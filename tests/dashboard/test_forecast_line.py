"""The page of forecasts under load, in a real browser: position, progress and reason are those of the API."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dashboard.conftest import opened_window, session_of
from held_forecasts import Asked, advice, keys_of, serving_held
from waiting import wait_for

pytestmark = pytest.mark.server


def test_a_forecast_that_waits_shows_its_position_its_progress_and_why_it_ended(
    opened_browser: Browser, tmp_path: Path
) -> None:
    with serving_held(tmp_path) as (server, held):
        session = session_of(opened_browser, server)
        *keys, last = keys_of(server, 4)
        running = [Asked(server, key) for key in keys]
        held.wait_until_begun(3)
        assert advice(server, "one")["state"] == "pending"
        held.wait_until_begun(4)
        with opened_window(opened_browser, server, session) as window:
            page = window.page
            window.open("/r/acme/two/forecast")
            window.sees("Number 1 in line; 1 recommendation under way.")
            assert advice(server, "two")["line"] == {"position": 1, "under_way": 1}
            assert [] == window.violations()

            window.open("/r/acme/one/forecast?batch_size=2")
            window.sees("Number 1 in line; 3 other forecasts under way.")
            behind = Asked(server, last)
            wait_for({"position": 2, "under_way": 3}, behind.place)
            held.allow(5)
            window.sees("5 of 25 combinations of settings replayed.")
            assert advice(server, "one")["progress"] == {"done": 5, "total": 25}

            held.let_end()
            expect(page.get_by_role("alert")).to_contain_text("The test has let it end")
            behind.join()
            assert behind.lines[-1]["problem"]["detail"] == "the test has let it end"
        for asked in running:
            asked.join()
