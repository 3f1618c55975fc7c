"""The files of the dashboard: one page for all its addresses, and assets that browsers keep."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from api.problem_documents import NO_PATH
from live_server import LiveServer, live_server
from mergecast.api.dashboard_files import BUILT_DASHBOARD

_SCRIPT = "console.log('Mergecast');\n" * 100
_PACKAGES = [
    {"name": "one", "version": "1.0", "license": "MIT", "texts": ["Copyright Ann ©"]},
    {"name": "two", "version": "2.0", "license": "Apache-2.0", "texts": ["Licensed to all.", "A notice."]},
]
_ADDRESSES = (
    "/", "/settings", "/sources", "/r/acme/widgets", "/r/acme/nothing/pulls/7", "/r/a/b/configuration",
    "/r/acme", "/r/acme/widgets/", "/r/acme/widgets/queue/",
)  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server behind a prefix, with files as the build leaves them."""
    built: Path = tmp_path_factory.mktemp("built")
    (built / "assets").mkdir()
    (built / "index.html").write_text('<head><base href="/" /><script src="./assets/index-1a2b.js"></script>')
    (built / "icon.svg").write_text("<svg/>")
    (built / "assets" / "index-1a2b.js").write_text(_SCRIPT)
    (built / "licenses.json").write_text(json.dumps(_PACKAGES), encoding="utf-8")
    with live_server(tmp_path_factory.mktemp("data"), prefix="/queue/stats", dashboard=built) as live:
        yield live


def _get(server: LiveServer, path: str, **headers: str) -> httpx.Response:
    with server.anonymous() as http:
        return http.get(f"/queue/stats{path}", headers=headers)


def test_every_address_is_the_same_page(served: LiveServer) -> None:
    """It does not reveal which repositories exist; its base is the prefix."""
    answers = [_get(served, path) for path in _ADDRESSES]

    page = '<head><base href="/queue/stats/"><script src="./assets/index-1a2b.js"></script>'
    assert {(200, page)} == {(answer.status_code, answer.text) for answer in answers}


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/r",
        "/v2/repos",
        "/r/a/b/unknown",
        "/r/a/b/unknown/7",
        "/r/a/b/pulls/x",
        "/r/a/b/pulls/7/x",
    ],
)
def test_an_unknown_path_is_a_page_for_a_browser(served: LiveServer, path: str) -> None:
    """The page says that there is no such page, and that status is no success."""
    browser = _get(served, path, Accept="text/html,application/xhtml+xml,*/*;q=0.8")

    assert (404, "text/html; charset=utf-8", "Accept") == (
        browser.status_code, browser.headers["content-type"], browser.headers["vary"],
    )  # fmt: skip
    assert '<base href="/queue/stats/">' in browser.text
    assert browser.headers["content-security-policy"].startswith("default-src 'none'; ")


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/nowhere", "*/*"),
        ("/nowhere", "application/json, text/html"),
        ("/nowhere", "application/problem+json, text/html;q=0.9"),
        ("/v1", "text/html"),
        ("/v1/repos/acme", "text/html"),
    ],
)
def test_an_unknown_path_is_a_document_for_a_program(served: LiveServer, path: str, accept: str) -> None:
    """Paths of the API never answer a page."""
    program = _get(served, path, Accept=accept)

    assert (404, NO_PATH) == (program.status_code, program.json())


def test_the_page_runs_nothing_but_its_own_files(served: LiveServer) -> None:
    """No inline script or style, no other host, no frame; and it is asked for again each time."""
    headers = _get(served, "/").headers

    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert policy.endswith("frame-ancestors 'none'")
    assert ("text/html; charset=utf-8", "same-origin", "nosniff", "no-cache") == tuple(
        headers[name]
        for name in ("content-type", "referrer-policy", "x-content-type-options", "cache-control")
    )


def test_assets_are_kept_forever(served: LiveServer) -> None:
    """Their names change with their content. They are compressed for clients that accept it."""
    compressed = _get(served, "/assets/index-1a2b.js", **{"Accept-Encoding": "gzip"})
    plain = _get(served, "/assets/index-1a2b.js", **{"Accept-Encoding": "identity"})

    assert _SCRIPT == compressed.text == plain.text
    assert len(gzip.compress(_SCRIPT.encode())) + 50 > int(compressed.headers["content-length"])
    assert ("gzip", None) == (compressed.headers["content-encoding"], plain.headers.get("content-encoding"))
    assert ("text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "nosniff") == tuple(
        plain.headers[name] for name in ("content-type", "cache-control", "x-content-type-options")
    )
    policy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
    assert policy == plain.headers["content-security-policy"]
    assert "image/svg+xml" == _get(served, "/icon.svg").headers["content-type"]


@pytest.mark.parametrize("name", ["index-0000.js", "..%2Findex.html", "%2e%2e%2f%2e%2e%2fpyproject.toml", ""])
def test_there_are_no_other_files(served: LiveServer, name: str) -> None:
    """A name is looked up among the files that were built; it is no path."""
    answer = _get(served, f"/assets/{name}")

    assert (404, "the dashboard has no such file; reload the page to get the current ones") == (
        answer.status_code, answer.json()["detail"],
    )  # fmt: skip


def test_a_server_without_built_files_says_how_to_get_them(tmp_path: Path) -> None:
    """The API works as well."""
    with live_server(tmp_path, dashboard=tmp_path / "nothing") as server:
        answer = server.http.get("/")

        assert 200 == answer.status_code
        assert "In a clone, run <code>scripts/install</code> to build it." in answer.text
        assert 404 == server.http.get("/icon.svg").status_code
        no_packages = "the dashboard is not built in this installation, so it contains no packages"
        assert no_packages == server.http.get("/licenses").json()["detail"]


def test_the_licences_of_the_packages_in_the_pages(served: LiveServer) -> None:
    """A list, and then the texts."""
    answer = _get(served, "/licenses")

    assert (200, "text/plain; charset=utf-8") == (answer.status_code, answer.headers["content-type"])
    _, _, packages = answer.text.partition("each with its own licence.\n\n")
    rule = "=" * 80
    assert (
        f"""\
one 1.0: MIT
two 2.0: Apache-2.0

one 1.0
{rule}

Copyright Ann ©

two 2.0
{rule}

Licensed to all.

A notice.
"""
        == packages
    )


def test_the_built_pages_link_to_their_licences() -> None:
    if not BUILT_DASHBOARD.is_dir():
        pytest.skip("the dashboard is not built: run scripts/dashboard")

    assert '<a href="licenses">' in (BUILT_DASHBOARD / "docs.html").read_text(encoding="utf-8")
    assert "svelte" in (BUILT_DASHBOARD / "licenses.json").read_text(encoding="utf-8")


def test_a_new_build_removes_files(tmp_path: Path) -> None:
    """A page that was opened before may still ask for them."""
    (tmp_path / "built" / "assets").mkdir(parents=True)
    for name in ("a-1.js", "b-1.js"):
        (tmp_path / "built" / "assets" / name).write_text(_SCRIPT)
    with live_server(tmp_path / "data", prefix="/queue/stats", dashboard=tmp_path / "built") as server:
        before = _get(server, "/assets/a-1.js").status_code
        (tmp_path / "built" / "assets" / "b-1.js").unlink()

        assert (200, 404) == (before, _get(server, "/assets/b-1.js").status_code)
