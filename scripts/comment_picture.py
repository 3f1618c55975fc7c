"""Draw docs/images/comment.webp for README.md: the comment that the tests of the action compare with.

Needs Chromium (Debian: apt install chromium-headless-shell) and `scripts/install test`.
"""

import shutil
from pathlib import Path

from markdown_it import MarkdownIt
from playwright.sync_api import ViewportSize, sync_playwright

from take_screenshots import save

ROOT = Path(__file__).parents[1]
COMMENT = ROOT / "tests" / "action" / "golden" / "with-a-server.md"
_STYLE = """
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 14px/1.5 system-ui, sans-serif; }
article { border: 1px solid #d1d9e0; border-radius: 6px; }
header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; color: #59636e; }
main { padding: 0 16px; }
h2 { font-size: 1.4em; border-bottom: 1px solid #d1d9e0; padding-bottom: .3em; }
table { border-collapse: collapse; }
.valid { color: #1a7f37; }
th, td { white-space: nowrap; border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left; }
details { margin: 1em 0; }
"""
_FRAME = "<article><header><b>github-actions</b> bot commented</header><main>{comment}</main></article>"


def page_of(markdown: str) -> str:
    """The comment as GitHub shows it, more or less."""
    drawn = markdown.replace("✅", "<span class=valid>✔</span>")  # fonts of servers have no emoji
    comment = MarkdownIt("commonmark", {"html": True}).enable("table").render(drawn)
    return f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style>{_FRAME.format(comment=comment)}"


def main() -> None:
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_context(viewport=ViewportSize(width=960, height=300)).new_page()
        page.set_content(page_of(COMMENT.read_text(encoding="utf-8")))
        save(page, "comment", full=True)
        browser.close()


if __name__ == "__main__":
    main()
