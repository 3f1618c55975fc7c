"""The page to read and try the API, in a real browser."""

import pytest
from playwright.sync_api import expect

from browser_windows import Window
from live_server import LiveServer

pytestmark = pytest.mark.server

# Closed requests of the same method look alike, and axe-core takes its time for each of them.
_REMOVE_ALIKE = """() => {
  const methods = new Set();
  for (const block of document.querySelectorAll('.opblock:not(.is-open)')) {
    if (methods.has(block.className)) block.remove();
    methods.add(block.className);
  }
}"""


def test_the_page_to_try_the_api(signed_in: Window, demo: LiveServer) -> None:
    """It lists every operation, sends requests with the browser's session, and asks no other host."""
    page = signed_in.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    signed_in.open("/docs")
    expect(page.get_by_role("link", name="Mergecast", exact=True)).to_be_visible()
    described = demo.http.get("/v1/openapi.json").json()
    listed = [*described["paths"].values(), *described["webhooks"].values()]
    expect(page.locator(".opblock")).to_have_count(sum(map(len, listed)))
    assert [1] * 10 == _operations_of_links(signed_in)

    summary = page.locator(".opblock-summary", has_text="/v1/repos/{owner}/{repository}/stays")
    summary.get_by_role("button", expanded=False).first.click()
    block = page.locator(".opblock.is-open")
    block.get_by_role("button", name="Try it out").click()
    for name, value in (("owner", "demo"), ("repository", "harbor"), ("limit", "1")):
        block.get_by_label(name, exact=True).fill(value)
    block.get_by_label("order").select_option("seconds")
    block.get_by_role("button", name="Execute").click()
    expect(block.locator(".live-responses-table .response-col_status").last).to_contain_text("200")
    assert f"{demo.url}/v1/repos/demo/harbor/stays?order=seconds&limit=1" == asked[-1]
    page.evaluate(_REMOVE_ALIKE)
    assert [] == signed_in.violations()

    assert {True} == {url.startswith((f"{demo.url}/", "data:")) for url in asked}
    assert [] == signed_in.messages


def _operations_of_links(window: Window) -> list[int]:
    """How many operations each link to a much used request leads to."""
    links = window.page.locator("#most-used a").all()
    places = [str(link.get_attribute("href")).removeprefix("docs#/") for link in links]
    return [window.page.locator(f"#operations-{place.replace('/', '-')}").count() for place in places]
