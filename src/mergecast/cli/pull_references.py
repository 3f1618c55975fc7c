"""How people refer to a pull request: `OWNER/REPO#NUMBER`, or the address of its page."""

import re

from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import parse_place

# Pages of GitHub and GitLab, and of the dashboard, which may be below a prefix.
_PAGES = (
    re.compile(r"https?://[^/]+/([^/#?]+)/([^/#?]+)/pull/([0-9]{1,19})(?:[/#?].*)?"),
    re.compile(r"https?://[^/]+/(?:[^#?]+/)?([^/#?]+)/([^/#?]+)/-/merge_requests/([0-9]{1,19})(?:[/#?].*)?"),
    re.compile(r"https?://[^#?]+/r/([^/#?]+)/([^/#?]+)/pulls/([0-9]{1,19})/?(?:[#?].*)?"),
)


def parse_reference(text: str) -> tuple[str, int | None]:
    """The repository, and the number if there is one.

    >>> parse_reference("acme/widgets#7"), parse_reference("https://github.com/acme/widgets/pull/7/files")
    (('acme/widgets', 7), ('acme/widgets', 7))
    """
    for page in _PAGES:
        match = page.fullmatch(text.strip())
        if match:
            owner, name, number = match.groups()
            return parse_place(f"{owner}/{name}#{number}")
    if text.startswith(("http://", "https://")):
        raise WrongUsage(
            f"`{text}` is not the page of a pull request; write OWNER/REPO#NUMBER, such as acme/widgets#42"
        )
    owner, slash, rest = text.partition("/")
    name, second_slash, number = rest.partition("/")
    if slash and second_slash and number.isascii() and number.isdigit():
        raise WrongUsage(f"`{text}` is not a pull request; did you mean {owner}/{name}#{number}?")
    return parse_place(text)
