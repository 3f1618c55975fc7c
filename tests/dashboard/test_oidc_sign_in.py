"""Signing in with an OpenID Connect provider, in a real browser."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from access.oidc_provider import OidcProvider, oidc_provider, settings_of
from browser_windows import Window
from builders import worked_example
from live_server import NO_LIMITS, live_server
from local_http import Reply

pytestmark = pytest.mark.server


@pytest.fixture
def offered(
    opened_browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Window, OidcProvider]]:
    """The sign-in page of a server that offers to sign in with an imitated provider."""
    with oidc_provider() as provider:
        policy = replace(NO_LIMITS, oidc=settings_of(provider.url))
        with live_server(tmp_path_factory.mktemp("oidc"), policy) as server:
            server.send(worked_example(), "Acme/Widgets").raise_for_status()
            server.send(worked_example(), "umbrella/secret").raise_for_status()
            context = opened_browser.new_context()
            window = Window(context.new_page(), server.url)
            window.open("/")
            yield window, provider
            context.close()
    assert [] == window.unexpected_messages()


def _sign_in(window: Window) -> None:
    window.page.get_by_role("link", name="Sign in with Acme").click()


def test_to_the_provider_and_back(offered: tuple[Window, OidcProvider]) -> None:
    """People come back under their name, see what their groups give, and can sign out again."""
    window, _ = offered
    expect(window.page.get_by_role("link", name="Sign in with GitHub")).to_have_count(0)
    assert [] == window.violations()
    _sign_in(window)

    window.sees("Acme/Widgets")
    expect(window.page.get_by_text("umbrella")).to_have_count(0)
    expect(window.page).to_have_url(f"{window.url}/")
    window.open("/settings")
    window.sees("Ada Lovelace")
    window.sees("(OIDC user)")
    window.page.get_by_role("button", name="Sign out").click()
    expect(window.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_who_is_signed_in_learns_that_signing_in_failed(offered: tuple[Window, OidcProvider]) -> None:
    """Before the pages of the session that goes on are shown again."""
    window, provider = offered
    _sign_in(window)
    window.sees("Acme/Widgets")
    provider.user = {"groups": ["chess club"]}
    window.page.goto(f"{window.url}/v1/session/oidc")
    window.sees("your account has no access to anything here. Ask platform@acme.example for access.")
    expect(window.page.get_by_text("Acme/Widgets")).to_have_count(0)
    assert [] == window.violations()
    window.page.get_by_role("button", name="Stay signed in as Ada Lovelace").click()
    window.sees("Acme/Widgets")
    window.page.reload()
    window.sees("Acme/Widgets")


def test_what_goes_wrong_is_said_on_the_page(offered: tuple[Window, OidcProvider]) -> None:
    """No access, no consent, or no answer: the page offers to try again, and its address is clean."""
    window, provider = offered
    provider.user = {"groups": ["chess club"]}
    _sign_in(window)
    window.sees(
        "You are signed in at Acme, but your account has no access to anything here. "
        "Ask platform@acme.example for access."
    )
    expect(window.page).to_have_url(f"{window.url}/")
    provider.consents = False
    _sign_in(window)
    window.sees("You did not authorize Mergecast at Acme.")
    provider.consents, provider.replies = True, {"/token": Reply(503)}
    _sign_in(window)
    window.sees("Signing in with Acme does not work right now: try again in a moment.")
    expect(window.page).to_have_url(f"{window.url}/")
