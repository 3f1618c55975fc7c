"""Everything a user can name is documented."""

import doctest
import importlib
import itertools
import pkgutil
import re
from pathlib import Path

import pytest

import mergecast
from layers import MAY_IMPORT, WINGS, Tree, is_in, package_of
from mergecast.api.problems import TITLES
from mergecast.cli.command_tree import program
from mergecast.cli.environment import CLIENT_VARIABLES
from mergecast.queues.export.tables import TABLES, Table
from mergecast.queues.model.event import EVENT_TYPES
from mergecast.queues.model.figures import FIGURES, SUMMARY_FIGURES
from mergecast.queues.model.instant import DAY
from mergecast.queues.stats.published import STATISTICS
from mergecast.settings import Settings

ROOT = Path(__file__).parents[1]
_MOST_WORDS = 2500
_MOST_LINES = 120  # of README.md


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_no_page_is_long() -> None:
    """A page answers the questions of one reader; a longer one is split by who reads it."""
    pages = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "docs").rglob("*.md")}
    words = {name: len(path.read_text(encoding="utf-8").split()) for name, path in pages.items()}

    assert {} == {name: count for name, count in words.items() if count > _MOST_WORDS}
    assert len(_text("README.md").splitlines()) <= _MOST_LINES


@pytest.mark.parametrize("statistic", STATISTICS)
def test_every_statistic_is_documented(statistic: str) -> None:
    """Its row links the SQL that answers it."""
    row = next(
        line for line in _text("docs/statistics.md").splitlines() if line.startswith(f"| `{statistic}`")
    )

    links = [part.split(")")[0] for part in row.split("](../")[1:]]

    assert links
    assert all((ROOT / link).is_file() for link in links)


# Their defaults are made, not fixed.
_MADE = {
    "admin_token": "created by the first command that needs it",
    "secret_key": "the file `secret-key`",
    "oidc_name": "the host of the issuer",
}


def _setting_rows() -> dict[str, list[tuple[int, int, str]]]:
    """For each variable: its place in a row of the table, how many are in the row, and the row's default."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for line in _text("docs/settings.md").splitlines():
        cells = line.strip("|").split(" | ")
        if line.startswith("| ") and len(cells) >= 3:
            names = re.findall(r"`(MERGECAST_\w+)`", cells[1])
            for place, name in enumerate(names):
                found.setdefault(name, []).append((place, len(names), " | ".join(cells[2:]).strip()))
    return found


def test_every_setting_is_documented_once() -> None:
    """The page has one row for each environment variable, of the server and of commands."""
    expected = {f"MERGECAST_{name.upper()}" for name in (*Settings.model_fields, *CLIENT_VARIABLES)}

    assert dict.fromkeys(expected, 1) == {name: len(rows) for name, rows in _setting_rows().items()}


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_default_is_documented(name: str) -> None:
    """A row begins with the default: as it would be written, or `none`."""
    ((place, count, text),) = _setting_rows()[f"MERGECAST_{name.upper()}"]
    default = Settings.model_fields[name].default
    if name in _MADE:
        written = _MADE[name]
    elif isinstance(default, int) and name.endswith("_keep"):
        written = f"`{default // DAY}d`"
    elif default in (None, "", (), frozenset()):
        written = "none"
    else:
        written = f"`{default:g}`" if isinstance(default, float) else f"`{default}`"

    begins = text.split(", ")[place] if count > 1 and ", " in text.partition(";")[0] else text
    assert begins.startswith(written)


def test_every_command_is_documented() -> None:
    """The page lists each command, and each command of a group."""
    page = _text("docs/commands.md").replace("mergecast ", "")
    words = [
        (name, *inner)
        for name, command in program().commands.items()
        for inner in [(), *((one,) for one in getattr(command, "commands", ()))]
    ]

    assert [] == [path for path in words if f"`{' '.join(path)}" not in page]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_column_of_an_export_is_documented(table: Table) -> None:
    """The page lists the columns of each table in their order, with their types and meanings."""
    page = _text("docs/export.md")
    section = page[page.index(f"\n## `{table.name}`") :].split("\n## ")[1]
    listed = [tuple(line.strip("| ").split(" | ")) for line in section.splitlines() if line.startswith("| `")]

    assert f": {table.meaning}" in section.replace("\n", " ")
    assert listed == [
        (f"`{column.name}`", column.kind.name.lower(), column.meaning) for column in table.columns
    ]


def test_the_eight_figures_are_those_of_the_overview() -> None:
    """The page names the figure of every tile, and commands write its words."""
    page = _text("docs/which-figure.md")
    rows = [line.rpartition(" | ")[2] for line in page.splitlines() if re.search(r"\| \[.+\]\(#", line)]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    tiles = re.findall(r'<Tile name="(\w+)"', _text("dashboard/src/pages/overview/Tiles.svelte"))

    assert 8 == len(rows)
    assert set() == named - {*SUMMARY_FIGURES, "cost"}
    assert [] == [name for name in tiles if name not in named]
    assert [] == [name for name in tiles if f"`mergecast summary`: `{FIGURES[name].words}`" not in page]


def test_every_event_type_and_status_is_documented() -> None:
    """The page about events lists each type, and that of the API each error status."""
    events, answers = _text("docs/events.md"), _text("docs/http-api.md")

    assert [] == [name for name in EVENT_TYPES if f"`{name}`" not in events]
    assert [] == [status for status in TITLES if str(status) not in answers]


def test_every_file_named_in_the_design_exists() -> None:
    """The design pages name modules relative to the package, and test and script files from the root."""
    pages = [_text("docs/design.md"), *(path.read_text("utf-8") for path in (ROOT / "docs/design").iterdir())]
    named = set(re.findall(r"[a-z_]+(?:/[a-z_]+)+(?:\.py|\.sql|/)", "\n".join(pages)))
    roots = (ROOT, ROOT / "docs", ROOT / "src" / "mergecast")

    assert len(named) > 20
    assert [] == [name for name in sorted(named) if not any((root / name).exists() for root in roots)]


def test_a_webhook_never_climbs() -> None:
    """Each step of its path to facts imports the next, from the same package or one further down."""
    page = _text("docs/design.md")
    walk = page[page.index("from a webhook to facts") :].partition("```")[0].splitlines()[1:]
    lines = [[step.removesuffix(".py") for step in line.strip().split(" → ")] for line in walk]
    arrows = [arrow for line in lines for arrow in itertools.pairwise(line)]
    tree, order = Tree(ROOT / "src" / "mergecast"), list(MAY_IMPORT)

    assert ("app", "queues/model/facts") == (lines[0][0], lines[-1][-1])
    assert [] == [
        f"{step} does not import {following}"
        for step, following in arrows
        if not any(is_in(place, following.removesuffix("/__init__")) for place in tree.imported_places(step))
    ]
    assert [] == [
        f"{step} is below {following}"
        for step, following in arrows
        if order.index(package_of(step)) < order.index(package_of(following))
    ]
    # Every line continues from a step of an earlier one.
    earlier = {lines[0][0]}
    for line in lines:
        assert line[0] in earlier, line
        earlier |= set(line)


def test_every_package_is_in_the_design() -> None:
    """Each package has a row that says what it is for."""
    source = ROOT / "src" / "mergecast"
    in_wings = {path.parent for wing in WINGS - {"process"} for path in (source / wing).glob("*/__init__.py")}
    others = {path.parent for path in source.glob("*/__init__.py")} - {source / wing for wing in WINGS}
    packages = {path.relative_to(source).as_posix() for path in {*in_wings, *others, source / "process"}}

    assert packages == set(re.findall(r"^\| `([a-z/]+)` \|", _text("docs/design.md"), re.MULTILINE))


def test_every_term_is_defined_once() -> None:
    """The glossary has one entry per term."""
    entries = re.findall(r"^- \*\*([^*]+)\*\*:", _text("docs/glossary.md"), re.MULTILINE)
    terms = [term.lower() for entry in entries for term in entry.split(", ")]

    assert len(terms) > 40
    assert sorted(set(terms)) == sorted(terms)


def test_every_decision_is_numbered() -> None:
    """Its title has the number of its file. The number of one that was replaced is not used again."""
    pages = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    titles = [page.read_text(encoding="utf-8").splitlines()[0] for page in pages]

    assert [f"# {int(page.name[:4])}. " for page in pages] == [
        f"{title.partition('. ')[0]}. " for title in titles
    ]
    assert len({page.name[:4] for page in pages}) == len(pages)


def test_examples_in_docstrings_hold() -> None:
    """Examples of all modules are executed."""
    failed = attempted = 0
    for module in pkgutil.walk_packages(mergecast.__path__, "mergecast."):
        if module.name == "mergecast.__main__":
            continue
        imported = importlib.import_module(module.name)
        # Looking through the members of the other modules takes much longer.
        if ">>> " in Path(str(imported.__file__)).read_text(encoding="utf-8"):
            result = doctest.testmod(imported)
            failed, attempted = failed + result.failed, attempted + result.attempted

    assert 0 == failed
    assert attempted > 5
