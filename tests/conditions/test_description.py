"""What is read from descriptions and commit messages."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conditions.builders import COMMIT, PULL, holds, judge, snapshot
from mergecast.language.conditions.facts.metadata import depends_on, merge_after
from mergecast.queues.model.instant import format_instant

BLOCK = """Bump requests

Bumps things.

---
updated-dependencies:
- dependency-name: requests
  dependency-version: 2.0.0
  dependency-type: direct:production
  update-type: version-update:semver-patch
- dependency-name: "@types/node"
  dependency-type: direct:development
  update-type: version-update:semver-major
...

Signed-off-by: dependabot[bot]
"""


def _bumped(message: str, **commit: Any) -> Any:
    return snapshot(
        pull={"author": "dependabot[bot]"}, commits=(COMMIT, replace(COMMIT, message=message, **commit))
    )


def test_dependabots_metadata_is_read() -> None:
    """All entries of a grouped update."""
    seen = _bumped(BLOCK)

    assert ("requests", "@types/node") == judge("dependabot-dependency-name = x", seen).observed
    assert ("direct:production", "direct:development") == judge(
        "dependabot-dependency-type = x", seen
    ).observed
    assert not holds("dependabot-update-type != version-update:semver-major", seen)


@pytest.mark.parametrize(
    "message",
    [
        "no block",
        "---\nupdated-dependencies:\n- dependency-name: x",
        "...\n---\nupdated-dependencies:",
        "---\n...",
        "---\nother:\n- dependency-name: x\n...",
        "---\nupdated-dependencies:\n- [dependency-name: x\n...",
        "---\nupdated-dependencies:\n- dependency-name: &a x\n\t*a\n...",
        "---\nupdated-dependencies:\n- dependency-name:\n...",
        BLOCK + "x" * 300_000,
    ],
    ids=lambda message: message[:40],
)
def test_malformed_metadata_is_ignored(message: str) -> None:
    """Then there is no update type."""
    seen = _bumped(message)

    assert () == judge("dependabot-dependency-name = x", seen).observed
    assert holds("dependabot-update-type != version-update:semver-major", seen)


def test_metadata_of_other_authors_is_ignored() -> None:
    """A commit by Dependabot counts even in someone else's pull request; a copied block does not."""
    foreign = snapshot(commits=(replace(COMMIT, message=BLOCK),))
    own = snapshot(commits=(replace(COMMIT, message=BLOCK, author_login="dependabot[bot]"),))

    assert holds("#dependabot-dependency-name = 0", foreign)
    assert holds("#dependabot-dependency-name = 2", own)


@given(st.text())
def test_any_commit_message_can_be_read(message: str) -> None:
    """Whatever is between the markers."""
    assert judge("dependabot-dependency-name = x", _bumped(f"---\n{message}\n...")).missing is None


def test_references_in_the_description() -> None:
    """Three forms, each pull request once; other organizations and self-references are ignored."""
    body = (
        "Depends-On: #42\r\n  depends-on: https://github.example/acme/tools/pull/123\r\n"
        "DEPENDS-ON: acme/other#789\nDepends-On: acme/engine#42\nDepends-On: else/where#1\n"
        "Depends-On: #7\nDepends-On: soon\nsee Depends-On: #50\nDepends-On:\n#51\n"
    )

    found = depends_on(replace(PULL, body=body))

    assert ("acme/engine#42", "acme/tools#123", "acme/other#789") == found


def test_dependencies_hold_once_merged() -> None:
    """In either spelling of the value."""
    seen = snapshot(
        pull={"body": "Depends-On: #42\nDepends-On: acme/tools#1"},
        dependencies={"acme/engine#42": "merged", "acme/tools#1": "closed"},
    )

    assert holds("depends-on = #42", seen)
    assert holds("depends-on = acme/engine#42", seen)
    assert not holds("depends-on = acme/tools#1", seen)
    assert holds("#depends-on = 1", seen)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Merge-After: 2023-04-18 18:20", "2023-04-18T18:20:00Z"),
        (
            "x\r\nmerge-after: 2023-04-18T18:20[Europe/Paris]\r\nMerge-After: 2024-01-01",
            "2023-04-18T16:20:00Z",
        ),
        ("Merge-After: soon", None),
        ("Merge-After:", None),
        ("", None),
    ],
)
def test_merge_after_in_the_description(body: str, expected: str | None) -> None:
    """The first occurrence; in UTC without a zone."""
    instant = merge_after(replace(PULL, body=body))

    assert expected == (None if instant is None else format_instant(instant))
