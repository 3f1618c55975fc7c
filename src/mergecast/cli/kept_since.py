"""Says that a part of the period was deleted because of its age."""

from typing import Any

from mergecast.cli.periods import Zone


def print_kept_since(answer: Any, zone: Zone) -> None:
    """One line, if the answer says so; a list does in each of its records."""
    record = answer[0] if isinstance(answer, list) and answer else answer
    if isinstance(record, dict) and "kept_since" in record:
        print(kept_since_text(record["kept_since"], zone))


def kept_since_text(instant: str, zone: Zone) -> str:
    return f"what ended before {zone.shown_text(instant)}, {zone.name}, was deleted because of its age"
