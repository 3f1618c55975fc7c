"""Says that a part of the period was deleted because of its age."""

from mergecast.cli.periods import Zone


def print_kept_since(instant: str | None, zone: Zone) -> None:
    """One line, if the answer says so."""
    if instant is not None:
        print(kept_since_text(instant, zone))


def kept_since_text(instant: str, zone: Zone) -> str:
    return f"what ended before {zone.shown_text(instant)}, {zone.name}, was deleted because of its age"
