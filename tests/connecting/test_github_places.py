"""Which GitHub servers Apps may be registered on, and whether GitHub can reach this server."""

import pytest

from mergecast.incoming.connecting.github_apps import GitHubPlaces
from mergecast.incoming.connecting.reachable import is_reachable

_PLACES = GitHubPlaces(
    "https://ghe.acme.example/api/v3",
    frozenset({"git.internal:443", "git.internal:8443", "api.acme.ghe.com:443"}),
)


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://api.github.com", True),
        ("https://ghe.acme.example/api/v3", True),
        ("https://git.internal/api/v3", True),
        ("https://git.internal:8443/api/v3", True),
        ("https://api.acme.ghe.com", True),
        ("https://api.other.ghe.com", False),
        ("https://api.acme.ghe.com/x.ghe.com", False),
        ("http://api.acme.ghe.com", False),
        ("https://git.internal", False),
        ("https://git.internal/api/v3/../v4", False),
        ("http://git.internal/api/v3", False),
        ("https://git.internal:9443/api/v3", False),
        ("https://user@git.internal/api/v3", False),
        ("https://git.internal.evil.example/api/v3", False),
        ("https://evil.example/api/v3", False),
        ("https://api.github.com.evil.example", False),
        ("http://api.github.com", False),
        ("https://[", False),
        ("https://[git.internal/api/v3", False),
        ("https://git\u2100internal/api/v3", False),
    ],
)
def test_only_servers_that_the_operator_named(url: str, *, is_allowed: bool) -> None:
    """A page cannot lead people, or this server, to any other host."""
    assert is_allowed == _PLACES.allows(url)


def test_where_the_form_may_go() -> None:
    """The pages of the same servers, on ghe.com beside the API; without settings, github.com only."""
    assert [
        "https://acme.ghe.com",
        "https://ghe.acme.example",
        "https://git.internal",
        "https://git.internal:8443",
        "https://github.com",
    ] == _PLACES.origins()
    assert (["https://github.com"], "https://api.github.com") == (
        GitHubPlaces(None).origins(),
        GitHubPlaces(None).default,
    )


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://mergecast.example.com/path", True),
        ("https://93.184.216.34", True),
        ("http://mergecast.example.com", False),
        ("https://localhost:8000", False),
        ("https://127.0.0.1", False),
        ("https://192.168.1.5", False),
        ("https://[::1]", False),
        ("https://mergecast", False),
        ("https://mergecast.internal", False),
        ("https://mergecast.corp.local.", False),
    ],
)
def test_whether_github_can_reach_this_server(url: str, *, expected: bool) -> None:
    """Only by https, and not at an internal address or name."""
    assert expected == is_reachable(url)
