"""The page that enables products, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from api.browser import CHROMIUM, DRIVER, Browser, browser, wait_until
from live_server import TOKEN, LiveServer, live_server

_TAB, _SPACE, _ENTER = "\ue004", " ", "\ue007"

needs_browser = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="Chromium is not installed (Debian: apt install chromium chromium-driver)",
)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


def _ticked(window: Browser) -> list[str]:
    ticked: list[str] = window.run("boxes().filter((box) => box.checked).map((box) => box.value)")
    return ticked


def _show(window: Browser, url: str, credential: str = TOKEN) -> None:
    window.open(url)
    window.type("#credential", credential)
    window.click("#show")
    _wait(window)


def _wait(window: Browser) -> None:
    wait_until(lambda: window.text("#message") != "One moment…")


def _products(server: LiveServer, repository: str) -> object:
    return server.http.get(f"/v1/repos/{repository}/products").json().get("products")


@needs_browser
def test_enabling_and_disabling(server: LiveServer, repository: str, window: Browser) -> None:
    """From the simulator's link to the saved setting, and back."""
    server.http.put(f"/v1/repos/{repository}/products", json={"products": ["merge_protections"]})
    url = f"{server.url}/repos/{repository}/products"

    _show(window, f"{url}?enable=merge_queue", "wrong-credential-of-more-than-32-characters")
    assert f"This credential may not see the products of {repository}." == window.text("#message")
    assert not window.is_shown("#products")

    window.type("#credential", TOKEN)
    window.click("#show")
    wait_until(lambda: window.is_shown("#products"))
    assert ["merge_queue", "merge_protections"] == _ticked(window)
    assert (
        "Merge Queue is ticked because the link to this page asks for it. Nothing changes until you save."
    ) == window.text("#asked")
    assert ["merge_protections"] == _products(server, repository)

    window.click("#save")
    _wait(window)
    assert "Saved. Enabled: Merge Queue, Merge Protections." == window.text("#message")
    assert ["merge_queue", "merge_protections"] == _products(server, repository)

    _show(window, url)
    assert ["merge_queue", "merge_protections"] == _ticked(window)
    assert not window.is_shown("#asked")
    for product in ("merge_queue", "merge_protections"):
        window.click(f"input[value={product}]")
    window.click("#save")
    _wait(window)
    assert "Saved. No product is enabled." == window.text("#message")
    assert [] == _products(server, repository)
    assert [] == window.errors()


@needs_browser
def test_with_the_keyboard_alone(server: LiveServer, repository: str, window: Browser) -> None:
    """The focus is where the user needs it, and no step needs a mouse."""
    window.open(f"{server.url}/repos/{repository}/products")
    window.press(*TOKEN, _ENTER)
    wait_until(lambda: window.is_shown("#products"))
    window.press(_TAB, _SPACE, _ENTER)
    _wait(window)

    assert ["merge_queue"] == _products(server, repository)


@needs_browser
def test_undetermined_products(server: LiveServer, repository: str, window: Browser) -> None:
    """The page distinguishes an unknown repository from one whose products were never set."""
    _show(window, f"{server.url}/repos/{repository}/products?enable=nonsense")
    unknown = window.text("#state")
    _show(window, f"{server.url}/repos/acme/widgets/products")

    assert "This repository is not known here yet; saving makes it known." == unknown
    assert ("Nothing was ever saved: which products are enabled is not determined.") == window.text("#state")
    assert [] == _ticked(window)


@needs_browser
def test_the_credential_is_kept_in_memory_only(server: LiveServer, repository: str, window: Browser) -> None:
    """It is in no URL and no browser storage, and a reload forgets it."""
    _show(window, f"{server.url}/repos/{repository}/products")

    assert TOKEN not in window.address()
    assert 0 == window.run("localStorage.length + sessionStorage.length + document.cookie.length")
    window.open(window.address())
    assert "" == window.run("document.getElementById('credential').value")


@needs_browser
def test_an_invalid_credential(server: LiveServer, repository: str, window: Browser) -> None:
    """The page says that such a text cannot be a credential."""
    _show(window, f"{server.url}/repos/{repository}/products", "pässword€")

    assert "A credential has plain ASCII characters only." == window.text("#message")


def test_markup_in_a_name_never_reaches_a_page(server: LiveServer) -> None:
    """The server rejects an invalid name, in a response that no browser renders as HTML."""
    name = "<img src=x onerror=document.title='broken'>"

    answer = httpx.get(f"{server.url}/repos/acme/{quote(name, safe='')}/products")

    assert 422 == answer.status_code
    assert "application/problem+json" == answer.headers["content-type"]


@needs_browser
def test_a_narrow_screen(server: LiveServer, repository: str, window: Browser) -> None:
    """Nothing overflows to the right."""
    _show(window, f"{server.url}/repos/{repository}/products")

    assert window.run("document.documentElement.scrollWidth <= innerWidth")


@needs_browser
def test_behind_a_prefix(tmp_path: Path, window: Browser) -> None:
    """The page finds the API below the proxy's prefix."""
    with live_server(tmp_path, prefix="/queue/stats") as server:
        _show(window, f"{server.url}/queue/stats/repos/acme/below/products?enable=merge_queue")
        window.click("#save")
        _wait(window)

        answer = server.http.get("/queue/stats/v1/repos/acme/below/products").json()
        assert {"products": ["merge_queue"]} == answer


def test_the_page_is_the_same_for_every_repository(server: LiveServer) -> None:
    """It does not reveal which repositories exist, and loads nothing from other hosts."""
    paths = ("acme/widgets", "acme/nothing", "x/y")

    answers = [httpx.get(f"{server.url}/repos/{path}/products") for path in paths]

    assert {200} == {answer.status_code for answer in answers}
    assert 1 == len({answer.text for answer in answers})
    assert [] == re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", answers[0].text)


def test_the_content_security_policy(server: LiveServer) -> None:
    """Only its own script and style run, it connects only to its own server, and no site can frame it."""
    headers = httpx.get(f"{server.url}/repos/a/b/products").headers

    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert ("'none'", "'self'", "'none'", "'none'") == tuple(
        policy[name] for name in ("default-src", "connect-src", "form-action", "frame-ancestors")
    )
    assert ("text/html; charset=utf-8", "no-referrer", "nosniff") == (
        headers["content-type"],
        headers["referrer-policy"],
        headers["x-content-type-options"],
    )
