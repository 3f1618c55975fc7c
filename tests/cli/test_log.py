"""`mergecast admin log` lists who deleted something or changed a setting."""

import json
import re
from pathlib import Path

import pytest

from cli.program import mergecast

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a key and the products of a repository."""
    folder = tmp_path_factory.mktemp("audit")
    assert 0 == mergecast("admin", "key", "make", "acme", "--name", "CI", data=folder).code
    assert 0 == mergecast("config", "products", "set", "acme/web", "merge_queue", data=folder).code
    return folder


def test_a_table(data: Path) -> None:
    """Newest first, with what changed in words."""
    header, products, key = mergecast("admin", "log", data=data).out.splitlines()

    assert ["when,", "UTC", "who", "from", "what", "about", "details"] == header.split()
    when = r"20\d\d-\d\d-\d\d \d\d:\d\d +admin token +127\.0\.0\.1"
    assert re.fullmatch(rf"{when} +products changed +acme/web +products merge_queue *", products)
    id = r"[0-9a-f]{12}"
    assert re.fullmatch(rf"{when} +key created +acme +key {id}, name CI, scopes read, expires_at none *", key)


def test_lines_of_a_repository_as_json(data: Path) -> None:
    lines = json.loads(mergecast("admin", "log", "Acme/Web", "--json", data=data).out)

    assert [("products changed", "acme", "web")] == [
        (line["event"], line["owner"], line["repository"]) for line in lines
    ]


def test_a_limit(data: Path) -> None:
    """The command says that there are older lines."""
    ended = mergecast("admin", "log", "acme", "--since", "1d", "--limit", "1", data=data)

    assert 2 == len(ended.out.splitlines())
    assert "there are older lines; --limit lists up to 1,000, --end older ones\n" == ended.err


def test_nothing_found(data: Path) -> None:
    ended = mergecast("admin", "log", "acme/other", data=data)

    assert (0, "no changes\n") == (ended.code, ended.out)


def test_an_invalid_name(data: Path) -> None:
    ended = mergecast("admin", "log", "acme web", data=data)

    message = "mergecast: `acme web` is neither a repository nor an owner; write acme/widgets or acme\n"
    assert (2, message) == (ended.code, ended.err)
