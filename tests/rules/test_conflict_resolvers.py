"""What a simulation says about the files in which conflicts are resolved."""

from typing import Any

import pytest

from rules.builders import ALL_PRODUCTS, BARE, notes, simulated, snapshot

_STATE = "When the queue tests the pull request with others, it would try to resolve conflicts in these files"
_BY_STRUCTURE = "it merges them by structure, and leaves a conflict where both sides change the same part"


def _resolvers(*entries: Any) -> dict[str, Any]:
    return {"conflict_resolvers": [*entries]}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            {"auto": True},
            (
                "Every file for which the service has a strategy: it chooses the strategy, "
                "and never one that drops the change of one side"
            ),
        ),
        (
            {"paths": ["CHANGELOG.md", "NEWS"], "strategy": "union"},
            "Files 'CHANGELOG.md', 'NEWS': the strategy `union` keeps the lines of both sides",
        ),
        (
            {"paths": ["a"], "strategy": "prefer-theirs"},
            "Files 'a': the strategy `prefer-theirs` keeps the lines of the pull request where they conflict",
        ),
        (
            {"paths": list("abcdefg"), "strategy": "json"},
            (
                "Files 'a', 'b', 'c', 'd', 'e' and 2 more: the strategy `json` merges them by structure, "
                "and leaves a conflict where both sides change the same part"
            ),
        ),
        (
            {"package-manager": "npm", "directories": ["/web"]},
            f"Manifests and lockfiles of npm in the directory '/web': {_BY_STRUCTURE}",
        ),
        ({"language": "python"}, f"Files of the language python: {_BY_STRUCTURE}"),
        (
            {"language": "go", "directories": ["cmd", "pkg"]},
            f"Files of the language go in the directories 'cmd', 'pkg': {_BY_STRUCTURE}",
        ),
    ],
)
def test_an_entry(entry: Any, expected: str) -> None:
    result = simulated(_resolvers(entry)).conflicts

    assert result is not None
    assert (_STATE, [expected]) == (result.state.text, [one.text for one in result.resolvers])


def test_entries_keep_their_order() -> None:
    result = simulated(_resolvers({"auto": True}, {"language": "go"})).conflicts

    assert result is not None
    assert ["Every", "Files"] == [one.text.split()[0] for one in result.resolvers]


@pytest.mark.parametrize(
    ("pull", "is_open_question"),
    [
        ({"mergeable": False}, True),
        ({"mergeable": None}, False),
        ({"mergeable": False, "closed": True}, False),
    ],
)
def test_a_pull_request_with_conflicts(pull: dict[str, Any], *, is_open_question: bool) -> None:
    result = simulated(_resolvers({"auto": True}), snapshot(pull=pull)).conflicts
    more = ". Whether it would resolve the conflict with the base branch as well is not known"

    assert result is not None
    assert (_STATE + more if is_open_question else _STATE) == result.state.text


@pytest.mark.parametrize("document", [{}, _resolvers()])
def test_no_entry(document: dict[str, Any]) -> None:
    assert simulated(document).conflicts is None


def test_without_the_merge_queue() -> None:
    result = simulated(_resolvers({"auto": True}), BARE, products=ALL_PRODUCTS - {"merge_queue"})

    assert result.conflicts is None
    assert ["The section `conflict_resolvers` is ignored: the product Merge Queue is not enabled"] == notes(
        result
    )
