"""Write the pages of the documentation's site to build/docs, from which scripts/docs builds it.

Besides docs/, these are README, CONTRIBUTING and others, a page for each subject of the HTTP API, and the
files that pages link to.
"""

import json
import shutil
from pathlib import Path
from tempfile import gettempdir
from typing import cast

from api_pages import api_pages
from mergecast.api.openapi.description import describe
from mergecast.api.routes import all_routes
from mergecast.api.services import Services
from site_links import FILES, PAGES, index_of, page_of, rewrite

ROOT = Path(__file__).parents[1]
_DOCS = ROOT / "docs"
_ICON = ROOT / "dashboard" / "public" / "icon.svg"


def main() -> None:
    write_pages(ROOT / "build" / "docs")


def write_pages(folder: Path) -> None:
    """Write all pages into a new folder, which replaces an old one."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_DOCS / "images", folder / "images")
    shutil.copyfile(_ICON, folder / "images" / "icon.svg")
    linked: set[str] = set()
    for name, text in _pages(linked).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for path in sorted(linked):
        (folder / FILES / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / FILES / path)


def _pages(linked: set[str]) -> dict[str, str]:
    """The text of each page; what they link to besides pages is added to `linked`."""
    inside = {path.relative_to(ROOT).as_posix() for path in _DOCS.rglob("*.md")}
    outside = {path for path in PAGES if (ROOT / path).is_file()}
    pages = {str(page_of(path)): _site_text(path, linked) for path in inside | outside}
    return {**pages, "decisions/index.md": index_of(_titles()), **api_pages(described_api())}


def _site_text(path: str, linked: set[str]) -> str:
    def note(target: str) -> bool:
        """A link to a file that does not exist stays, so that the build reports it."""
        if (ROOT / target).is_file():
            linked.add(target)
        return not (ROOT / target).is_dir()

    return rewrite((ROOT / path).read_text(encoding="utf-8"), path, note)


def _titles() -> dict[str, str]:
    pages = (_DOCS / "decisions").glob("*.md")
    return {
        page.name: page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for page in pages
    }


def described_api() -> object:
    """The OpenAPI description. It needs no running service: handlers are made, and never called."""
    return json.loads(describe(all_routes(cast("Services", None), Path(gettempdir()))))


if __name__ == "__main__":
    main()
