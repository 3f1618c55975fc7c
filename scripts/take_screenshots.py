"""Take the screenshots of README.md from the running demo; `scripts/screenshots` calls this."""

import base64
import shutil
import subprocess
import sys

from playwright.sync_api import Page, ViewportSize, sync_playwright

from pictures import IMAGES, ROOT, write_list

_SIZE = ViewportSize(width=1280, height=800)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-headless-shell")
_REPOSITORY = "r/demo/harbor"
# Browsers write WebP, a third of the size of PNG; Playwright itself does not.
_TO_WEBP = """async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.8);
}"""
_MOST_RETRIED = """async (path) => {
    const since = new Date(Date.now() - 7 * 86400000).toISOString();
    const answer = await fetch(`${path}?limit=200&start_at=${since}`);
    const { stays } = await answer.json();
    return stays.reduce((most, one) => (one.retries > most.retries ? one : most)).pull_request;
}"""


def main() -> None:
    folder = sys.argv[1]
    command = [str(ROOT / ".venv" / "bin" / "mergecast"), "open", "--print", "--data-dir", folder]
    link = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603
    url = link.partition("#")[0]
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_context(viewport=_SIZE, color_scheme="light").new_page()
        page.goto(link)
        page.get_by_role("heading", name="Repositories").wait_for()
        page.goto(f"{url}{_REPOSITORY}")
        page.locator(".u-over").nth(2).wait_for()
        page.get_by_role("heading", name="Why they left").wait_for()
        save(page, "overview", full=True)
        number = page.evaluate(_MOST_RETRIED, f"{url}v1/repos/demo/harbor/stays")
        page.emulate_media(color_scheme="dark")
        page.goto(f"{url}{_REPOSITORY}/pulls/{number}")
        page.get_by_role("heading", name="Stay 1").wait_for()
        save(page, "pull-request", full=False)
        browser.close()
    write_list()


def save(page: Page, name: str, *, full: bool) -> None:
    page.wait_for_load_state("load")
    png = base64.b64encode(page.screenshot(full_page=full, animations="disabled")).decode()
    blank = page.context.new_page()
    written = str(blank.evaluate(_TO_WEBP, f"data:image/png;base64,{png}"))
    blank.close()
    (IMAGES / f"{name}.webp").write_bytes(base64.b64decode(written.partition(",")[2]))


if __name__ == "__main__":
    main()
