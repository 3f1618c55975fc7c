"""Pages whose code cannot be loaded, in a real browser: without a connection, and after an upgrade."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, StorageState, expect

from browser_windows import BUILT, Window
from builders import worked_example
from dashboard.conftest import session_of
from live_server import LiveServer, live_server
from ports import reserved_ports

pytestmark = pytest.mark.server
_FAILED = "This page could not be loaded"
_CODE = "**/assets/CiChecks-*"


def _see_checks(window: Window) -> None:
    expect(window.page.get_by_role("heading", name="CI checks", level=1)).to_be_visible()
    expect(window.page.get_by_text(_FAILED)).to_have_count(0)


def _loads(window: Window) -> int:
    """How often the browser loaded the page of CI checks as a document."""
    return sum(f"GET {window.url}/r/demo/harbor/ci-checks " == one for one in window.requests)


@pytest.fixture
def alone(opened_browser: Browser, demo: LiveServer, session: StorageState) -> Iterator[Window]:
    """A window whose console may have messages about the network."""
    context = opened_browser.new_context(storage_state=session)
    yield Window(context.new_page(), demo.url)
    context.close()


def test_without_a_connection(alone: Window) -> None:
    """The page says so instead of nothing, and comes when the connection is back."""
    alone.open("/r/demo/harbor")
    alone.sees("● live")
    alone.page.context.set_offline(True)
    alone.page.get_by_role("link", name="CI checks").click()
    alone.sees(_FAILED)
    alone.sees("No connection: this page may be out of date.")
    expect(alone.page.get_by_role("button", name="Reload")).to_be_visible()
    expect(alone.page.get_by_text("● live")).to_have_count(0)

    alone.page.context.set_offline(False)
    _see_checks(alone)
    alone.sees("● live")


def test_a_table_is_not_saved_without_a_connection(alone: Window) -> None:
    alone.open("/r/demo/harbor")
    save = alone.page.get_by_role("button", name="CSV: Flow")
    save.wait_for()
    alone.page.context.set_offline(True)
    save.click()
    alone.sees("Not saved: reload the page, and try again.")
    alone.sees("No connection: this page may be out of date.")
    alone.page.context.set_offline(False)


def test_a_missing_file_of_the_same_build(signed_in: Window) -> None:
    """Loading the page again by itself would not help, so it waits for the user."""
    signed_in.page.route(_CODE, lambda route: route.fulfill(status=404))
    signed_in.open("/r/demo/harbor")
    signed_in.page.get_by_role("link", name="CI checks").click()
    signed_in.sees(_FAILED)
    signed_in.settles()
    assert 0 == _loads(signed_in)

    signed_in.page.unroute(_CODE)
    signed_in.page.get_by_role("button", name="Reload").click()
    _see_checks(signed_in)
    assert 1 == _loads(signed_in)


def test_a_page_is_reloaded_once(signed_in: Window) -> None:
    """Even if what the server says and what the browser gets never agree, as behind two servers."""

    def other_build(route: Route) -> None:
        route.fulfill(body='<script type="module" src="./assets/index-other.js">', content_type="text/html")

    signed_in.page.route(_CODE, lambda route: route.fulfill(status=404))
    signed_in.page.route(f"{signed_in.url}/", other_build)
    signed_in.open("/r/demo/harbor")
    signed_in.page.get_by_role("link", name="CI checks").click()
    signed_in.wait_until(lambda: _loads(signed_in), "the page to be loaded again")
    signed_in.sees(_FAILED)
    signed_in.settles()
    assert 1 == _loads(signed_in)


def test_after_an_upgrade(opened_browser: Browser, tmp_path: Path) -> None:
    """The files of the page are gone: it loads itself again, and is the new one."""
    old, new, data = tmp_path / "old", tmp_path / "new", tmp_path / "data"
    shutil.copytree(BUILT.parent, old)
    _build_again(old, new)
    with reserved_ports() as (port,), ExitStack() as stack:
        server = stack.enter_context(live_server(data, port=port, dashboard=old))
        server.send(worked_example(), "demo/harbor").raise_for_status()
        context = opened_browser.new_context(storage_state=session_of(opened_browser, server))
        window = Window(context.new_page(), server.url)
        window.open("/r/demo/harbor")
        window.sees("connected")
        stack.close()
        stack.enter_context(live_server(data, port=port, dashboard=new))
        window.page.get_by_role("link", name="CI checks").click()
        _see_checks(window)
        assert 1 == _loads(window)
        context.close()


def _build_again(old: Path, new: Path) -> None:
    """The same dashboard, whose files have other names."""
    shutil.copytree(old, new)
    names = {file.name: f"{file.stem}2{file.suffix}" for file in (new / "assets").iterdir()}
    for file in (new / "index.html", *(new / "assets").iterdir()):
        text = file.read_text(encoding="utf-8")
        for name, other in names.items():
            text = text.replace(name, other)
        file.write_text(text, encoding="utf-8")
        if file.name in names:
            file.rename(file.with_name(names[file.name]))
