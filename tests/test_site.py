"""The site of the documentation: its links, the pages of the API, and what it loads."""

import json
import posixpath
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from api_pages import api_pages
from api_types import operations
from site_for_models import write_for_models
from site_links import rewrite
from site_pages import ROOT, described_api, write_pages

_LOADS_FROM_ELSEWHERE = re.compile(
    r"<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=[\"']?((?:https?:)?//[^\"' >]*)"
)


@pytest.mark.parametrize(
    ("place", "text", "expected"),
    [
        ("README.md", "[a](docs/alerts.md#levels)", "[a](alerts.md#levels)"),
        ("README.md", "![a](docs/images/a.webp)", "![a](images/a.webp)"),
        ("README.md", "[why](docs/decisions/)", "[why](decisions/index.md)"),
        ("docs/design.md", "[a](../dashboard/README.md)", "[a](dashboard.md)"),
        ("docs/sources/github.md", "[a](../design.md), [b](bors.md)", "[a](../design.md), [b](bors.md)"),
        ("docs/export.md", "[a](../README.md#try-it)", "[a](try-it.md#try-it)"),
        ("docs/language/actions.md", "[a](../README.md)", "[a](../index.md)"),
        ("docs/statistics.md", "[a](../src/a.sql)", "[a](files/src/a.sql)"),
        ("docs/sources/github.md", "[a](../../src/a.sql)", "[a](../files/src/a.sql)"),
        ("docs/monitoring.md", "see [the folder](../monitoring).", "see the folder."),
        (
            "docs/a.md",
            "[a](https://example.com/x.md), [b](#here)",
            "[a](https://example.com/x.md), [b](#here)",
        ),
        ("README.md", "```\n[a](docs/a.md)\n```\n[a](docs/a.md)", "```\n[a](docs/a.md)\n```\n[a](a.md)"),
    ],
)
def test_links(place: str, text: str, expected: str) -> None:
    """A link between files of the repository becomes a link between pages, or to a copy of the file."""
    linked: list[str] = []

    def note(path: str) -> bool:
        linked.append(path)
        return path != "monitoring"

    assert expected == rewrite(text, place, note)
    assert linked in ([], ["src/a.sql"], ["monitoring"])


def test_every_request_is_on_a_page_of_the_api() -> None:
    described = described_api()
    pages = api_pages(described)
    shown = {line for text in pages.values() for line in text.splitlines()}

    assert [] == [name for name, _ in operations(described) if name not in shown]
    assert [] == [
        name for name in pages if f": {name}\n" not in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    ]


_NAMED = re.compile(r"^ +- (?:.+: )?([a-z/.-]+\.md)$", re.MULTILINE)
_LINKED = re.compile(r"\]\(([^()#:\s]+\.md)(?:#[^()\s]*)?\)")


def test_every_page_can_be_reached(tmp_path: Path) -> None:
    """By links from the start page; the navigation lists all but single decisions."""
    write_pages(tmp_path)
    pages = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    reached, waiting = {"index.md"}, ["index.md"]
    while waiting:
        page = waiting.pop()
        links = _LINKED.findall((tmp_path / page).read_text(encoding="utf-8"))
        linked = {posixpath.normpath(posixpath.join(posixpath.dirname(page), link)) for link in links}
        waiting += linked - reached
        reached |= linked
    named = _NAMED.findall((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))

    assert set() == {page for page in pages - reached if not page.startswith("api/")}
    assert sorted(named) == sorted(page for page in pages if not re.match(r"decisions/\d", page))


def _build(project: Path) -> subprocess.CompletedProcess[str]:
    """Build the site from the pages in `build/docs`."""
    if find_spec("zensical") is None:
        pytest.skip("zensical is not installed: pip install '.[docs]'")
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--strict"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.mark.thorough
def test_the_site_builds_strictly_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    write_pages(tmp_path / "build" / "docs")
    shutil.copyfile(ROOT / "mkdocs.yml", tmp_path / "mkdocs.yml")

    built = _build(tmp_path)

    assert 0 == built.returncode, built.stdout + built.stderr
    site = tmp_path / "build" / "site"
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 60
    found = {
        item["location"].partition("#")[0]
        for item in json.loads((site / "search.json").read_bytes())["items"]
    }
    assert {page.relative_to(site).as_posix() for page in pages} - found == {"404.html"}, (
        "search finds the others"
    )
    assert [] == [
        (page.name, _LOADS_FROM_ELSEWHERE.findall(page.read_text(encoding="utf-8")))
        for page in pages
        if _LOADS_FROM_ELSEWHERE.search(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.thorough
def test_a_broken_link_fails_the_build(tmp_path: Path) -> None:
    """To a page, and to a heading. Two pages are enough; the test above shows that right links pass."""
    pages = tmp_path / "build" / "docs"
    pages.mkdir(parents=True)
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("nav:\n")[0]
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    (pages / "index.md").write_text(
        "# A\n\n[one](nowhere.md) [two](other.md#none) [three](other.md#heading)\n", encoding="utf-8"
    )
    (pages / "other.md").write_text("# B\n\n## Heading\n", encoding="utf-8")

    broken = _build(tmp_path)

    assert 0 != broken.returncode
    assert "2 issues found" in broken.stdout + broken.stderr


def test_models_get_an_index_and_each_page_as_markdown(tmp_path: Path) -> None:
    """The index names every page, with a sentence."""
    write_pages(tmp_path / "pages")
    write_for_models(tmp_path / "pages", tmp_path / "site")
    index = (tmp_path / "site" / "llms.txt").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): .+[.?!]$", index, re.MULTILINE)

    assert "# Mergecast" == index.partition("\n")[0]
    pages = {path.relative_to(tmp_path / "pages").as_posix() for path in (tmp_path / "pages").rglob("*.md")}
    assert pages == set(listed)
    assert [] == [name for name in listed if not (tmp_path / "site" / name).is_file()]
