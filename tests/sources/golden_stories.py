"""What stories become: a file for each, with an event per line."""

import os
from pathlib import Path

_FOLDER = Path(__file__).parent / "golden"


def golden(source: str, story: str, told: str) -> str:
    """What a story of a source should become. `UPDATE_GOLDEN=1` records what it becomes now."""
    file = _FOLDER / source / f"{story}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(told, encoding="utf-8")
    return file.read_text(encoding="utf-8")
