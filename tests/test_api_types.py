"""The dashboard's types are those of the API's description."""

from api_types import TYPES, api_types


def test_types_match_the_description() -> None:
    """Otherwise: run scripts/types, then see what `scripts/dashboard npm run check` says about the pages."""
    assert api_types() == TYPES.read_text(encoding="utf-8")
