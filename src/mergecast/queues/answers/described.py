"""How values of answers are described: as the server's OpenAPI document says it."""

from typing import Annotated

from msgspec import Meta


def one_of(*values: str) -> Meta:
    """Described, but not enforced: a later server may say more, and commands show it nevertheless."""
    return Meta(extra_json_schema={"enum": list(values)})


DateTime = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


Date = Annotated[str, Meta(extra_json_schema={"format": "date"})]
