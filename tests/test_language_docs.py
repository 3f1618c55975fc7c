"""The pages about the language say what the tables say, and every example in them is valid."""

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from language_docs import PAGES, pages
from mergecast.language.conditions.attribute import Section
from mergecast.language.conditions.attributes import ATTRIBUTES
from mergecast.language.conditions.parser import parse_condition
from mergecast.language.configuration.read import read_configuration

TODAY = date(2026, 11, 15)
_REFERENCE = Path(__file__).parents[2] / "shared" / "reference"
NAMES = ("actions.md", "attributes.md", "deprecations.md", "sections.md")


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """The pages as the tables say they should be."""
    return pages()


@pytest.mark.parametrize("name", NAMES)
def test_pages_match_their_tables(written: dict[str, str], name: str) -> None:
    """Otherwise: run .venv/bin/python scripts/language_docs.py."""
    assert written[name] == (PAGES / name).read_text(encoding="utf-8")


def test_every_page_is_compared(written: dict[str, str]) -> None:
    """There are no other pages."""
    assert set(NAMES) == set(written)


def _options(schema: Any, *, only_deprecated: bool) -> Iterator[str]:
    """The names of options in a JSON schema, at any depth."""
    if isinstance(schema, list):
        for part in schema:
            yield from _options(part, only_deprecated=only_deprecated)
    elif isinstance(schema, dict):
        for name, option in schema.get("properties", {}).items():
            if not only_deprecated or option.get("deprecated"):
                yield name
        for part in schema.values():
            yield from _options(part, only_deprecated=only_deprecated)


@pytest.mark.skipif(not _REFERENCE.exists(), reason="needs the schemas of the language")
def test_every_option_that_is_deprecated_removed_or_ignored_is_on_the_page(written: dict[str, str]) -> None:
    """Those of an earlier and the present schema, and the section that is in neither but does no harm."""
    earlier, present = (
        json.loads((_REFERENCE / name).read_text(encoding="utf-8"))
        for name in ("configuration-schema.json", "configuration-schema-2026-10.json")
    )
    deprecated = {*_options(earlier, only_deprecated=True), *_options(present, only_deprecated=True)}
    removed = {*_options(earlier, only_deprecated=False)} - {*_options(present, only_deprecated=False)}
    named = {*re.findall("`([a-z_]+)`", written["deprecations.md"])}

    assert {"autosquash", "post_check"} <= deprecated | removed
    assert set() == {*deprecated, *removed, "partition_rules"} - named


def _documents() -> Iterator[str]:
    for page in sorted(PAGES.glob("*.md")):
        yield from re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("document", list(_documents()))
def test_every_document_in_the_pages_is_valid(document: str) -> None:
    """Readers can copy any example."""
    assert () == read_configuration(document, today=TODAY).errors


def _conditions() -> Iterator[str]:
    page = (PAGES / "attributes.md").read_text(encoding="utf-8").replace("\\|", "\0")
    for line in page.splitlines():
        cells = line.split(" | ")
        if len(cells) == 5:
            yield from (text.replace("\0", "|") for text in re.findall("`([^`]+)`", cells[4]))


def test_every_condition_in_the_pages_is_valid() -> None:
    """This includes conditions for commands, which can test the sender."""
    written = list(_conditions())

    assert written == [parse_condition(condition, Section.COMMANDS).text for condition in written]


def test_every_attribute_that_can_be_written_has_an_example() -> None:
    """The table of attributes is complete."""
    shown = {parse_condition(condition, Section.COMMANDS).attribute.name for condition in _conditions()}

    assert {
        name for name, row in ATTRIBUTES.items() if row.operators or row.kind.title == "boolean"
    } - shown <= {name for name in ATTRIBUTES if name.startswith("github-")}


def test_the_pages_are_reachable_from_the_index() -> None:
    """The README links every page."""
    index = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")

    assert [] == [name for name in NAMES if f"docs/language/{name}" not in index]
