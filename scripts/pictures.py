"""Which Svelte files each picture of the documentation shows: a test tells when one is out of date."""

import json
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PAGES = ROOT / "dashboard" / "src" / "pages"
LIST = IMAGES / "pictures.json"
# The folder of the page that a picture shows.
SHOWN = {"overview": "overview", "pull-request": "pull"}


def digests() -> dict[str, str]:
    """For each picture, the digest of its page's Svelte files as they are now."""
    return {name: _digest(PAGES / folder) for name, folder in SHOWN.items()}


def _digest(folder: Path) -> str:
    found = sha256()
    for path in sorted(folder.rglob("*.svelte")):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def write_list() -> None:
    LIST.write_text(json.dumps(digests(), indent=2) + "\n", encoding="utf-8")


def read_list() -> dict[str, str]:
    found: dict[str, str] = json.loads(LIST.read_text(encoding="utf-8"))
    return found
