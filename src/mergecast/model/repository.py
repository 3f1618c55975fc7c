"""The name of a repository."""

import re
from dataclasses import dataclass, field

# Restricted to ASCII: no code-hosting platform allows other names.
OWNER_PATTERN = r"^[a-zA-Z0-9\-]+$"
NAME_PATTERN = r"^[\w\-\.]+$"
OWNER_LENGTH = 40
NAME_LENGTH = 100

_OWNER = re.compile(rf"[a-zA-Z0-9\-]{{1,{OWNER_LENGTH}}}")
_NAME = re.compile(rf"[\w\-\.]{{1,{NAME_LENGTH}}}", re.ASCII)


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


# Only the first that exists is read.
DOCUMENT_PATHS = (".mergify.yml", ".mergify/config.yml", ".github/mergify.yml")


PRODUCTS = {
    "workflow_automation": "Workflow Automation",
    "merge_queue": "Merge Queue",
    "merge_protections": "Merge Protections",
}


def in_order(products: frozenset[str]) -> tuple[str, ...]:
    """The products in the order in which they are always listed."""
    return tuple(product for product in PRODUCTS if product in products)
