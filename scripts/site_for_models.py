"""Add to the site what models read: each page as Markdown beside its HTML, and the index `llms.txt`.

scripts/docs runs this after the site is built. The form of the index is that of llmstxt.org.
"""

import re
import shutil
from pathlib import Path

from site_pages import ROOT

_FIRST = "index.md"
_DECISIONS, _API = "decisions/", "api/"
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
_LABEL = re.compile(r"^\*\*[A-Z][a-z]+\.\*\* ")  # such as Context, at the beginning of a decision
_SENTENCE = re.compile(r".+?[.?!](?= [A-Z`\"]|$)")
_NO_PROSE = ("#", "|", "-", "<", "!", ">", "*", "1.")
_HEAD = """# Mergecast

> Statistics about merge queues, and simulations and forecasts of their settings. Agents begin with agents.md.
"""


def main() -> None:
    write_for_models(ROOT / "build" / "docs", ROOT / "build" / "site")


def write_for_models(pages: Path, site: Path) -> None:
    names = sorted(path.relative_to(pages).as_posix() for path in pages.rglob("*.md"))
    for name in names:
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(pages / name, site / name)
    texts = {name: (pages / name).read_text(encoding="utf-8") for name in names}
    (site / "llms.txt").write_text(index(texts), encoding="utf-8")


def index(texts: dict[str, str]) -> str:
    """One line for each page: its title, and its first sentence. Decisions are optional reading."""
    names = sorted(texts, key=lambda name: (name != _FIRST, "/" in name, name))
    pages = [_line(name, texts[name]) for name in names if not name.startswith(_DECISIONS)]
    decisions = [_line(name, texts[name]) for name in names if name.startswith(_DECISIONS)]
    return "\n".join([_HEAD, "## Pages", "", *pages, "", "## Optional", "", *decisions, ""])


def _line(name: str, text: str) -> str:
    is_of_requests = name.startswith(_API) and name != f"{_API}index.md"
    sentence = "Requests of the HTTP API." if is_of_requests else first_sentence(text)
    return f"- [{_title(text)}]({name})" + (f": {sentence}" if sentence else "")


def _title(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("# ")).removeprefix("# ")


def first_sentence(text: str) -> str | None:
    r"""The first sentence of the first paragraph, without links.

    >>> first_sentence("# Title\n\n| a |\n\nEvery [page](x.md) has one. And more.")
    'Every page has one.'
    """
    prose = _FENCE.sub("", _COMMENT.sub("", text))
    for paragraph in prose.split("\n\n"):
        plain = " ".join(_LINK.sub(r"\1", _LABEL.sub("", paragraph.strip())).replace("**", "").split())
        if plain and not plain.startswith(_NO_PROSE):
            found = _SENTENCE.match(plain)
            return found[0] if found else f"{plain.rstrip(':')}."
    return None


if __name__ == "__main__":
    main()
