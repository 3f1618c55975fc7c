"""The pull requests that a description depends on."""

import pytest

from mergecast.queues.model.repository import Repository, dependencies_in


@pytest.mark.parametrize(
    ("body", "references"),
    [
        ("", ()),
        ("Depends-On: #7", ("Acme/widgets#7",)),
        ("text\r\ndepends-on:   #7\r\nDEPENDS-ON: engine#3", ("Acme/widgets#7",)),
        ("Depends-On: acme/engine#3", ("acme/engine#3",)),
        ("Depends-On: https://github.com/Acme/engine/pull/3", ("Acme/engine#3",)),
        ("Depends-On: #7\nDepends-On: #7", ("Acme/widgets#7",)),
        ("Depends-On: #12\nDepends-On: ACME/Widgets#12", ()),
        ("Depends-On: other/engine#3", ()),
        ("It depends-on: #7", ()),
    ],
)
def test_references(body: str, references: tuple[str, ...]) -> None:
    """Each is found once, with its repository; other organisations and self-references are ignored."""
    assert references == dependencies_in(body, Repository("Acme", "widgets"), 12)
