"""Teams as options of actions name them."""

from mergecast.conditions.values import Team


def read_team(text: str) -> Team:
    """Written `slug`, `@slug` or `@org/slug`.

    >>> read_team("@acme/reviewers")
    Team(owner='acme', slug='reviewers')
    """
    owner, _, slug = text.removeprefix("@").rpartition("/")
    return Team(owner or None, slug)
