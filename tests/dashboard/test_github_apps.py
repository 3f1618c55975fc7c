"""Registering a GitHub App in a real browser: its rules for forms and cookies, between two sites."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from browser_windows import Window
from github_apps import GitHubApps, github_apps
from live_server import NO_LIMITS, live_server

pytestmark = pytest.mark.server

# What a page of the dashboard does: it asks for the manifest, and sends it in a form.
_SEND_FORM = """async (target) => {
    const wanted = { owner: 'acme', is_organization: true, has_webhook: false };
    const answer = await fetch('v1/github-apps/begin', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wanted),
    });
    const { action, manifest } = await answer.json();
    const form = document.createElement('form');
    form.method = 'post';
    form.action = target ?? action;
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = 'manifest';
    field.value = JSON.stringify(manifest);
    form.append(field);
    document.body.append(form);
    form.submit();
}"""


@pytest.fixture
def operator(
    opened_browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Window, GitHubApps, str]]:
    """A signed-in window; to a browser, `localhost` and 127.0.0.1 are two sites."""
    with github_apps() as (github, platform):
        url = f"http://localhost:{urlsplit(platform.url).port}"
        policy = replace(NO_LIMITS, platform_url=url)
        with live_server(tmp_path_factory.mktemp("apps"), policy) as server:
            context = opened_browser.new_context()
            window = Window(context.new_page(), server.url)
            window.sign_in(server)
            yield window, github, url
            context.close()


def test_to_github_and_back(operator: tuple[Window, GitHubApps, str]) -> None:
    """The session is not lost on the way, and the App can read what it was installed on."""
    window, github, _ = operator
    window.page.evaluate(_SEND_FORM, None)
    window.page.get_by_role("button", name="Create GitHub App for acme").click()
    window.page.get_by_role("button", name="Install").click()

    expect(window.page).to_have_url(f"{window.url}/sources#app=1000")
    readable = window.page.evaluate(
        "() => fetch('/v1/github-apps/1000/repositories').then((one) => one.json())"
    )
    assert {"repositories": [{"name": "acme/web", "is_added": False}], "installed": ["acme"]} == readable
    assert 1 == github.exchanges
    cookies = {one.get("name"): one.get("sameSite") for one in window.page.context.cookies()}
    assert {"mergecast_session": "Strict"} == cookies


def test_the_form_goes_to_github_only(operator: tuple[Window, GitHubApps, str]) -> None:
    """The browser refuses to send it to another site."""
    window, github, url = operator
    other = url.replace("localhost", "127.0.0.1")
    with window.page.expect_console_message(lambda message: "form-action" in message.text):
        window.page.evaluate(_SEND_FORM, f"{other}/settings/apps/new")

    assert [] == github.apps
    assert window.page.url.startswith(window.url)
