"""The name of a repository, and references to pull requests in text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

# Restricted to ASCII: no code-hosting platform allows other names.
OWNER_PATTERN = r"^[a-zA-Z0-9\-]+$"
NAME_PATTERN = r"^[\w\-\.]+$"
OWNER_LENGTH = 40
NAME_LENGTH = 100

# Names by the pattern, which no repository of a platform has because they change the meaning of a path.
DOT_SEGMENTS = (".", "..")

# What makes a URL lead elsewhere than its path seems to: a query, a fragment, or a segment of dots.
_MISLEADING = re.compile(r"[?#%\\]|(?:^|/)\.\.?(?:/|$)")

_OWNER = re.compile(rf"[a-zA-Z0-9\-]{{1,{OWNER_LENGTH}}}")
_NAME = re.compile(rf"[\w\-\.]{{1,{NAME_LENGTH}}}", re.ASCII)
_DEPENDS_ON = re.compile(r"^[ \t]*depends-on:[ \t]*(\S{1,300})[ \t]*$", re.IGNORECASE | re.MULTILINE)
_NUMBER = r"(?P<number>[0-9]{1,18})"
_REPOSITORY = r"(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)"
_REFERENCE = re.compile(
    rf"(?:https?://[^/\s]+/{_REPOSITORY}/pull/{_NUMBER}/?)".replace("?P<", "?P<url_")
    + rf"|(?:{_REPOSITORY})?#{_NUMBER}"
)


@dataclass(frozen=True, slots=True)
class Repository:
    """Names are compared without case; the spelling is kept for display."""

    owner: str = field(compare=False)
    name: str = field(compare=False)
    _folded: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_folded", str(self).lower())

    def __str__(self) -> str:
        return f"{self.owner}/{self.name}"


def is_owner(text: str) -> bool:
    return _OWNER.fullmatch(text) is not None


def is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def is_plain_path(text: str) -> bool:
    """Whether a URL that contains this path leads where the path says.

    >>> [is_plain_path(text) for text in ("acme/web", "acme/.github", "../../user", "acme/web?a=b")]
    [True, True, False, False]
    """
    return _MISLEADING.search(text) is None


def platform_repository(full_name: str) -> Repository | None:
    """The repository of this name; None if no platform allows such a name.

    >>> platform_repository("acme/.github"), platform_repository("acme/..")  # a folder, not a name
    (Repository(owner='acme', name='.github'), None)
    """
    owner, _, name = full_name.partition("/")
    if not is_owner(owner) or not is_name(name) or name in DOT_SEGMENTS:
        return None
    return Repository(owner, name)


# Where a repository keeps its configuration document. Only the first that exists is read.
DOCUMENT_PATHS = (
    ".mergify.yml",
    ".mergify.yaml",
    ".mergify/config.yml",
    ".mergify/config.yaml",
    ".github/mergify.yml",
    ".github/mergify.yaml",
)


def several_documents(paths: Sequence[str]) -> str:
    """Why a repository with a document at each of these paths fails; they are in the order of reading."""
    *most, last = (f"`{path}`" for path in paths)
    others = "the others" if most[1:] else "the other one"
    return (
        f"several configuration documents are in place: {', '.join(most)} and {last}; "
        f"only `{paths[0]}` is read, so remove {others}"
    )


PRODUCTS = {
    "workflow_automation": "Workflow Automation",
    "merge_queue": "Merge Queue",
    "merge_protections": "Merge Protections",
}


def in_order(products: frozenset[str]) -> tuple[str, ...]:
    """The products in the order in which they are always listed."""
    return tuple(product for product in PRODUCTS if product in products)


def parse_reference(written: str, repository: Repository) -> str | None:
    """`owner/name#12` for a reference as people write it in a repository; None if it is not a reference."""
    match = _REFERENCE.fullmatch(written)
    if match is None:
        return None
    number = int(match["number"] or match["url_number"])
    owner, name = match["owner"] or match["url_owner"], match["name"] or match["url_name"]
    return f"{owner or repository.owner}/{name or repository.name}#{number}"


def dependencies_in(body: str, repository: Repository, number: int) -> tuple[str, ...]:
    """The references of the description, each once, without other organisations and itself."""
    lines = body.replace("\r\n", "\n")
    found = (parse_reference(written, repository) for written in _DEPENDS_ON.findall(lines))
    itself = f"{repository}#{number}".lower()
    owner = f"{repository.owner}/".lower()
    kept = (name for name in found if name and name.lower().startswith(owner) and name.lower() != itself)
    return tuple(dict.fromkeys(kept))
