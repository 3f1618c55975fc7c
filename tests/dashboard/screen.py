"""What a window shows, as text: headings, figures with a label, and tables. What is hidden is not shown."""

import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Error, Page, expect

from browser_windows import Window

Rows = list[dict[str, str]]
# Figures by their place on the page; a table is a list of rows, and a pattern is part of a text.
Figures = Mapping[str, str | Rows | re.Pattern[str]]

# What is hidden has no place: its box is at the edge of the window, wherever that is.
BOXES = """() => [...document.querySelectorAll('.card, .legend li, .u-wrap')].flatMap((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return width > 0 ? [[x + scrollX, y + scrollY, width, height]] : [];
})"""
# Text that does not fit into its box, is hidden there, and cannot be read in a tooltip or by scrolling.
_CUT_OFF = """() => [...document.querySelectorAll('body *')].flatMap((one) => {
  const { overflowX, overflowY, clipPath } = getComputedStyle(one);
  const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const isWide = hides(overflowX) && one.scrollWidth > one.clientWidth + 1;
  const isHigh = hides(overflowY) && one.scrollHeight > one.clientHeight + 1;
  const isOnPurpose = one.closest('.visually-hidden, [hidden], .u-wrap') || clipPath !== 'none';
  const text = one.innerText?.trim() ?? '';
  if (!one.clientWidth || !(isWide || isHigh) || isOnPurpose || !text) return [];
  if (one.closest('[title]')?.title.includes(text)) return [];
  return [`${one.tagName} ${one.className}`.trim() + `: ${text.slice(0, 80)}`];
})"""
_READ = """
() => {
  const shown = {};
  const text = (node) => node.checkVisibility({visibilityProperty: true}) ? node.innerText : '';
  const add = (name, value) => { shown[name] = name in shown ? [shown[name], value].flat() : value; };
  const main = document.querySelector('main');
  for (const h1 of main.querySelectorAll('h1')) add('heading', text(h1));
  for (const label of main.querySelectorAll('dt')) {
    const values = [...label.parentElement.querySelectorAll('dd:not([aria-hidden])')].map(text);
    add(text(label), values.join(' '));
  }
  shown.lines = [...main.querySelectorAll('.card > p, pre')].map(text).join('\\n');
  for (const table of main.querySelectorAll('table')) {
    const region = table.closest('[role=region]')?.ariaLabel;
    const name = region ?? table.closest('section')?.querySelector('h2')?.innerText ?? 'table';
    const heads = [...table.querySelectorAll('thead tr:last-child > *')].map((cell) => cell.textContent);
    const rows = [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map(text));
    const named = rows.map((row) => Object.fromEntries(row.map((cell, i) => [heads[i], cell])));
    add(name, named);
  }
  return shown;
}
"""
_DIFFERS = f"(before) => JSON.stringify(({_READ})()) !== JSON.stringify(before)"
_A_WHILE_MS, _BETWEEN_LOOKS_MS = 2000, 100


def read(page: Page) -> Figures:
    return figures_of(look(page))


def look(page: Page) -> dict[str, Any]:
    """The texts as the browser has them."""
    found: dict[str, Any] = page.evaluate(_READ)
    return found


def figures_of(found: dict[str, Any]) -> Figures:
    lines = "\n".join(_plain(line) for line in found["lines"].splitlines())
    return {_plain(name): _clean(value) for name, value in found.items()} | {"lines": lines}


def differences(expected: Figures, shown: Figures) -> list[str]:
    """What is not as expected, one line each; a page may show more."""
    found: list[str] = []
    for name, wanted in expected.items():
        pairs: list[tuple[str, object, object]]
        got = shown.get(name)
        if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
            rows = enumerate(zip(wanted, got, strict=True))
            pairs = [(f"{name}, row {i}, {key}", a[key], b.get(key)) for i, (a, b) in rows for key in a]
        else:
            pairs = [(name, wanted, got)]
        found += [f"{where}: expected {a!r}, shown {b!r}" for where, a, b in pairs if not _is(a, b)]
    return found


def _is(wanted: object, got: object) -> bool:
    if isinstance(wanted, re.Pattern):
        return isinstance(got, str) and wanted.search(got) is not None
    return wanted == got


def _clean(value: Any) -> Any:
    if isinstance(value, list):
        return [_clean(one) for one in value]
    if isinstance(value, dict):
        return {_plain(name): _plain(text) for name, text in value.items()}
    return _plain(value)


def _plain(text: str) -> str:
    """Without arrows and words that only repeat the sign of a change."""
    return re.sub(r"\s+", " ", re.sub(r"[▲▼]|\((worse|better)\)", "", text)).strip()


def changes(page: Page, seen: dict[str, Any]) -> bool:
    """Wait until the page shows something else than this; false if it does not for a while."""
    try:
        page.wait_for_function(_DIFFERS, arg=seen, timeout=_A_WHILE_MS, polling=_BETWEEN_LOOKS_MS)
    except Error:
        return False
    return True


def at_rest(window: Window) -> object:
    """Where everything is once all answers are there, however long they take."""
    expect(window.page.locator(".loading, [aria-busy=true]")).to_have_count(0)
    last, now = None, window.page.evaluate(BOXES)
    while last != now:
        window.settles()
        last, now = now, window.page.evaluate(BOXES)
    return now


def cut_off(page: Page) -> list[str]:
    """The elements whose text is cut off."""
    found: list[str] = page.evaluate(_CUT_OFF)
    return found
