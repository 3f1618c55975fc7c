"""Commands that list, when there is nothing to list; and repositories that are not known."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import entered, left
from cli.program import mergecast
from cli.served_folder import served_folder

_REPOSITORY = "acme/harbor"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with served_folder(tmp_path_factory.mktemp("lists")) as folder:
        yield folder


@pytest.fixture(scope="module")
def quiet(served: Path) -> Path:
    """One stay of long ago."""
    stay = [entered("2026-03-02T10:00:00Z", "s", 1), left("2026-03-02T10:10:00Z", "s", 1)]
    lines = b"\n".join(json.dumps(event).encode() for event in stay)
    assert 0 == mergecast("import", "events", _REPOSITORY, "-", data=served, stdin=lines).code
    return served


@pytest.mark.parametrize(
    "arguments",
    [
        ("admin", "key", "list"),
        ("admin", "sources", _REPOSITORY),
        ("store", "stays", _REPOSITORY),
        ("queue", _REPOSITORY),
        ("alerts", _REPOSITORY),
        ("ci-checks", _REPOSITORY),
        ("admin", "reference", "list", _REPOSITORY),
        ("verdicts", _REPOSITORY),
        ("changes", _REPOSITORY),
        ("config", "products", "list", _REPOSITORY),
        ("admin", "channels", "list", _REPOSITORY),
        ("pull", _REPOSITORY, "--search", "nothing"),
    ],
)
def test_an_empty_list_is_an_answer(quiet: Path, arguments: tuple[str, ...]) -> None:
    """It says that there is nothing, and succeeds; as JSON, it is JSON."""
    told, as_json = (mergecast(*arguments, *more, data=quiet) for more in ((), ("--json",)))

    silent = "No event has arrived for "
    lines = [line for line in told.out.splitlines() if not line.startswith(silent)]
    assert (0, "", 1) == (told.code, told.err, len(lines))
    assert 0 == as_json.code
    json.loads(as_json.out)


def test_there_is_nothing_to_translate(quiet: Path) -> None:
    """That was asked for, and was not done."""
    ending = mergecast("admin", "sources", "translate", _REPOSITORY, data=quiet)

    told = f"no source has delivered anything for {_REPOSITORY}; see `mergecast import -h`\n"
    assert (1, told) == (ending.code, ending.out)
    as_json = mergecast("admin", "sources", "translate", _REPOSITORY, "--json", data=quiet)
    assert (1, {"events": {}}) == (as_json.code, json.loads(as_json.out))


@pytest.mark.parametrize(
    "arguments",
    [
        ("summary", "acme/habor"),
        ("stats", "acme/habor", "queues"),
        ("queue", "acme/habor"),
        ("store", "stays", "acme/habor"),
        ("alerts", "acme/habor"),
        ("ci-checks", "acme/habor"),
        ("admin", "sources", "acme/habor"),
        ("admin", "sources", "translate", "acme/habor"),
        ("admin", "reference", "list", "acme/habor"),
        ("admin", "settings", "show", "acme/habor"),
        ("admin", "thresholds", "list", "acme/habor"),
        ("config", "products", "list", "acme/habor"),
        ("admin", "thresholds", "delete", "acme/habor"),
        ("pull", "acme/habor#1"),
        ("pull", "acme/habor", "--search", "word"),
        ("forecast", "acme/habor", "--set", "batch_size=2"),
        ("store", "export", "acme/habor"),
        ("report", "acme/habor", "-o", "-"),
    ],
)
def test_a_misspelled_repository(quiet: Path, arguments: tuple[str, ...]) -> None:
    """Every command that needs a repository suggests the one that was meant."""
    ending = mergecast(*arguments, data=quiet)

    assert 1 == ending.code
    assert (
        "the repository acme/habor is not known here: it has no events; did you mean acme/harbor?"
        in ending.err
    )
