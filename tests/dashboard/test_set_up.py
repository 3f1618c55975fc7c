"""The page Set-up: what is wrong with how a queue is set up, where, and how to repair it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browser_windows import Window
from builders import entered
from live_server import LiveServer

pytestmark = pytest.mark.server
# Whether the job runs depends on another job, and the file comes before the one with the sure finding.
_UNSURE = """\
on: [pull_request, merge_group]
jobs:
  changes: {runs-on: x, outputs: {any: '${{ steps.a.outputs.any }}'}}
  test: {runs-on: x, needs: changes, if: "needs.changes.outputs.any == 'true'"}
"""
_SURE = "on: pull_request\njobs: {lint: {runs-on: x}}\n"


def test_every_finding_shows_its_place_text_and_repair(signed_in: Window, demo: LiveServer) -> None:
    audit = demo.http.get("/v1/repos/demo/harbor/audit").json()
    signed_in.open("/r/demo/harbor/set-up")

    signed_in.sees("2 settings are sure to break")
    cards = signed_in.page.get_by_role("article")
    expect(cards).to_have_count(3)
    assert [_expected(one) for one in audit["findings"]] == [_shown(card) for card in cards.all()]
    assert ["Sure to break", "Sure to break", "Sure"] == cards.locator("b").all_inner_texts()


def test_what_is_sure_comes_first(signed_in: Window, demo: LiveServer) -> None:
    files = {".github/workflows/a.yml": _UNSURE, ".github/workflows/z.yml": _SURE}
    set_up = {
        "base_ref": "main",
        "commit": "5" * 40,
        "files": files,
        "rules": {"required": ["test", "lint"], "queue": {}},
    }
    demo.send([entered(datetime.now(UTC).isoformat(), "unsure", 1)], "acme/unsure").raise_for_status()
    demo.http.put("/v1/repos/acme/unsure/audit", json=set_up).raise_for_status()
    signed_in.open("/r/acme/unsure/set-up")

    signed_in.sees("1 setting is sure to break; 1 thing could not be told.")
    said = signed_in.page.get_by_role("article").locator("p:first-child")
    expect(said).to_have_text(
        ["Sure to break .github/workflows/z.yml:2", "Cannot tell .github/workflows/a.yml:4"]
    )


def test_without_a_set_up_the_page_says_how_one_arrives(signed_in: Window) -> None:
    signed_in.open("/r/acme/odd/set-up")
    signed_in.sees("nothing is kept of how acme/odd is set up: an import from GitHub reads it")
    signed_in.sees("This page is about GitHub's own queue.")


def _expected(finding: dict[str, Any]) -> tuple[str, str, list[str]]:
    repairs = [finding["repair"]] if finding["repair"] else []
    return f"{finding['path']}:{finding['line']}", finding["text"].replace("`", ""), repairs


def _shown(card: Locator) -> tuple[str, str, list[str]]:
    place, text = card.locator("p").all()
    return place.locator("code").inner_text(), text.inner_text(), card.locator("pre").all_inner_texts()
