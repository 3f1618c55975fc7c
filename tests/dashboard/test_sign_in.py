"""Signing in and what the browser holds, in a real browser."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, expect

from access.github_web import APP, GitHubWeb, github_web
from browser_windows import Window, sign_in_link
from builders import worked_example
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server

pytestmark = pytest.mark.server


@pytest.fixture
def with_github(
    opened_browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Window, GitHubWeb]]:
    """A window of a server that offers to sign in with an imitated GitHub."""
    with github_web() as (web, url):
        policy = replace(NO_LIMITS, platform_url=url, github_app=APP)
        with live_server(tmp_path_factory.mktemp("github"), policy) as server:
            server.send(worked_example(), "Acme/Widgets").raise_for_status()
            server.send(worked_example(), "umbrella/secret").raise_for_status()
            context = opened_browser.new_context()
            window = Window(context.new_page(), server.url)
            yield window, web
            context.close()
    assert [] == window.unexpected_messages()


def _secrets_in_reach(window: Window) -> str:
    """Everything that a script on the page could read: the address, cookies and storage."""
    return str(
        window.page.evaluate(
            "[location.href, document.cookie, ...[localStorage, sessionStorage].map(JSON.stringify)].join()"
        )
    )


def test_with_github(with_github: tuple[Window, GitHubWeb]) -> None:
    """Users come back signed in under their name, and see what GitHub shows to them."""
    window, _ = with_github
    window.open("/")
    window.page.get_by_role("link", name="Sign in with GitHub").click()

    window.sees("Acme/Widgets")
    expect(window.page.get_by_text("umbrella")).to_have_count(0)
    expect(window.page).to_have_url(f"{window.url}/")
    window.open("/settings")
    window.sees("octocat")


def test_refused_at_github(with_github: tuple[Window, GitHubWeb]) -> None:
    """The page says so and offers to sign in again; the address is clean."""
    window, web = with_github
    web.consents = False
    window.open("/")
    window.page.get_by_role("link", name="Sign in with GitHub").click()

    window.sees("You did not authorize Mergecast on GitHub.")
    expect(window.page).to_have_url(f"{window.url}/")


def test_scripts_reach_no_secret(window: Window) -> None:
    """Neither the token that was typed nor the session's cookie."""
    window.open("/")
    window.page.get_by_label("Application key").fill(TOKEN)
    window.page.keyboard.press("Enter")
    window.sees("demo/harbor")

    (cookie,) = window.page.context.cookies()
    assert (True, "Strict", False) == (cookie["httpOnly"], cookie["sameSite"], cookie["secure"])
    for secret in (TOKEN, cookie["value"]):
        assert secret not in _secrets_in_reach(window)


def test_a_link_of_someone_else_asks_first(window: Window, demo: LiveServer) -> None:
    """Who declines stays signed in, and the link still works; who accepts becomes the other person."""
    first, second = (demo.key("acme", name=name)["key"] for name in ("Ada", "Bea"))
    link, page = sign_in_link(demo, second), window.page
    page.goto(sign_in_link(demo, first))
    window.sees("Repositories")

    page.goto(link)
    window.sees(
        "You are signed in as Ada (application key); this would sign you in as Bea (application key) instead."
    )
    assert [] == window.violations()
    expect(page).to_have_url(f"{demo.url}/")
    page.get_by_role("button", name="Stay signed in as Ada").click()
    window.sees("Repositories")
    window.open("/settings")
    window.sees("Ada")

    page.goto(link)
    page.get_by_role("button", name="Sign in with the link").click()
    expect(page.get_by_role("heading", name="Repositories")).to_be_visible()
    window.open("/settings")
    window.sees("Bea")
    expect(page.get_by_text("Ada")).to_have_count(0)


def test_a_link_of_the_same_person_asks_nothing(window: Window, demo: LiveServer) -> None:
    """The operator opens the dashboard twice."""
    for _ in range(2):
        window.page.goto(sign_in_link(demo))
        window.sees("demo/harbor")
        window.open("/settings")


def test_a_link_that_was_used_while_the_page_asked(window: Window, demo: LiveServer) -> None:
    """The page says so, and the person stays signed in."""
    link = sign_in_link(demo)
    window.page.goto(sign_in_link(demo, demo.key("acme", name="Ada")["key"]))
    window.sees("Repositories")
    window.page.goto(link)
    window.sees("Sign in as someone else?")
    code = link.partition("#code=")[2]
    with demo.anonymous() as other:
        assert other.post("/v1/session", json={"code": code}).is_success

    window.page.get_by_role("button", name="Sign in with the link").click()
    window.sees("The link was already used or is older than ten minutes.")
    window.page.get_by_role("button", name="Stay signed in as Ada").click()
    window.sees("Repositories")


def test_a_link_of_a_simulation_opens_the_products(signed_in: Window, demo: LiveServer) -> None:
    """The repository is chosen, and the page says which product is needed; events may come later."""
    signed_in.open("/repos/demo/harbor/products?enable=merge_queue")

    signed_in.sees("The document of the simulation has a section for Merge queue: enable it here.")
    expect(signed_in.page.get_by_role("heading", level=1)).to_have_text("Settings of demo/harbor")
    signed_in.open("/repos/acme/new/products")
    signed_in.sees("the repository has no events yet")
    never_set = signed_in.page.get_by_text("They were never set")
    held = signed_in.hold("**/v1/repos/acme/new/products")
    signed_in.page.get_by_label("Merge queue").check()
    signed_in.is_saving("Products")
    expect(never_set).to_be_visible()
    held().continue_()
    signed_in.saves("Products")
    expect(never_set).to_have_count(0)
    assert {"products": ["merge_queue"]} == demo.http.get("/v1/repos/acme/new/products").json()


def test_a_revoked_session_goes_to_sign_in(window: Window, demo: LiveServer) -> None:
    """With the next request, whatever the page shows."""
    made = demo.key("demo")
    window.page.goto(sign_in_link(demo, made["key"]))
    window.sees("demo/harbor")
    demo.http.delete(f"/v1/keys/{made['id']}").raise_for_status()

    window.page.get_by_role("link", name="demo/harbor").click()

    expect(window.page.get_by_role("heading", name="Sign in")).to_be_visible()
    window.sees("Your session has ended: sign in again.")


def test_a_new_key_says_what_it_may_and_is_copied(signed_in: Window, demo: LiveServer) -> None:
    """The key that is shown works, and expires when the page says."""
    page = signed_in.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    signed_in.open("/settings")
    signed_in.sees("manage where notices go")
    page.get_by_label("Owner").fill("demo")
    page.get_by_label("Name").fill("report")
    page.get_by_label("May").select_option("ingest")
    page.get_by_label("Expires").select_option("in 30 days")
    page.get_by_role("button", name="Create a key").click()
    signed_in.sees("It may read and simulate, send events, and expires")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()

    key = str(page.evaluate("navigator.clipboard.readText()"))
    answer = demo.http.get("/v1/session", headers={"Authorization": f"Bearer {key}"})
    listed = {one["name"]: one for one in demo.http.get("/v1/keys").json()["keys"]}
    assert key == page.get_by_role("status").locator("code").inner_text()
    assert 200 == answer.status_code
    days = datetime.fromisoformat(listed["report"]["expires_at"]) - datetime.now(UTC)
    assert 29 == days.days
    expect(page.get_by_role("row", name="report")).to_contain_text("read and simulate, send events")
