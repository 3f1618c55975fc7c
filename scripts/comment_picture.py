"""Draw docs/images/comment.webp for README.md: the comment of the Action on the document of the demo.

Needs Chromium (Debian: apt install chromium-headless-shell), `scripts/install test`, and a server that
`scripts/run` has started: its figures and forecast are those of the picture.
    .venv/bin/python scripts/comment_picture.py              the data is in ./data
    .venv/bin/python scripts/comment_picture.py FOLDER       or in this folder
"""

import json
import os
import shutil
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from markdown_it import MarkdownIt
from playwright.sync_api import ViewportSize, sync_playwright

from mergecast.cli.commands.check import check_one
from mergecast.cli.comment_text import comment_text, forecast_part, simulation_part
from mergecast.cli.connection import connect
from mergecast.cli.documents import LocalJudge
from mergecast.cli.periods import Period
from mergecast.forecasting.forecast.answer import ForecastAnswer
from take_screenshots import save

ROOT = Path(__file__).parents[1]
_DOCUMENT = ROOT / "src" / "mergecast" / "demo" / "harbor.yml"
_REPOSITORY = "demo/harbor"
_DAYS = 60  # as in `mergecast config comment`
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


def comment_of(data: Path) -> str:
    """What `mergecast config comment` would say.

    The demo is on no platform: its server knows the pull requests.
    """
    with TemporaryDirectory() as folder, LocalJudge() as judge:
        shutil.copyfile(_DOCUMENT, Path(folder) / ".mergify.yml")
        os.chdir(folder)
        checked = check_one(judge, ".mergify.yml")
        os.chdir(ROOT)
    now = datetime.now(UTC)
    period = Period(now - timedelta(days=_DAYS), now)
    asked = {"base_ref": "main", **period.query(), "candidate": {"config_yml": checked.text}}
    with connect(data, None, None) as client:
        simulated = json.loads(client.simulate(_REPOSITORY, None, checked.text, "application/json"))
        *_, forecast = client.replayed(_REPOSITORY, "forecast", asked, ForecastAnswer)
    simulation = simulation_part(simulated["title"], simulated["summary"])
    return comment_text(checked, simulation, forecast_part(forecast.value), strict=False)


def page_of(markdown: str) -> str:
    """The comment as GitHub shows it, more or less."""
    drawn = markdown.replace("✅", "<span class=valid>✔</span>")  # fonts of servers have no emoji
    comment = MarkdownIt("commonmark", {"html": True}).enable("table").render(drawn)
    return f"<!doctype html><meta charset=utf-8><style>{_STYLE}</style>{_FRAME.format(comment=comment)}"


def main() -> None:
    comment = comment_of(Path(sys.argv[1] if len(sys.argv) > 1 else "data").absolute())
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_context(viewport=ViewportSize(width=1000, height=300)).new_page()
        page.set_content(page_of(comment))
        save(page, "comment", full=True)
        browser.close()


if __name__ == "__main__":
    main()
