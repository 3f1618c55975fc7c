"""The rules of the house: which package may import what. Each rule yields a line for every violation."""

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

# What each package may import. A package may import only those that are listed before it.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "process/background": {"errors"},
    "process/certificates": {"errors"},
    "process/clock": set(),
    "process/counts": set(),
    "process/interpreter": set(),
    "process/lru": set(),
    "process/concurrently": set(),
    "process/logs": set(),
    "process/memory": set(),
    "process/metrics": set(),
    "process/data_folder": set(),
    "process/sealing": {"process/data_folder"},
    "process/addresses": set(),
    "process/public_addresses": set(),
    "demo": set(),
    "queues/model": set(),
    "queues/answers": {"queues/model"},
    "client": {"queues/answers", "queues/model"},
    "inputs": {"queues/model"},
    "queues/export": {"queues/model"},
    "queues/store": {"queues/model"},
    "queues/stats": {"queues/answers", "queues/model", "queues/store"},
    "queues/metrics": {"queues/model", "queues/store"},
    "signals/thresholds": {"queues/model"},
    "signals/verdict": {"queues/model"},
    "signals/leading": {"queues/model", "queues/store"},
    "signals/removals": {"queues/model", "queues/store", "signals/leading", "signals/verdict"},
    "signals/changes": {"queues/model"},
    "signals/alerts": {"queues/model", "queues/store", "signals/thresholds", "signals/leading"},
    "signals/state": {"queues/answers", "queues/model", "queues/store", "queues/stats", "signals/thresholds"},
    "signals/notices": {
        *(
            "queues/answers",
            "queues/model",
            "queues/store",
            "queues/stats",
            "signals/thresholds",
            "signals/state",
        ),
        *("process/addresses", "process/public_addresses", "process/sealing"),
    },
    "incoming/platform": {"queues/model", "process/addresses", "process/public_addresses"},
    "incoming/forge": {"queues/model", "incoming/platform"},
    "incoming/sources": {"queues/answers", "queues/model", "incoming/platform"},
    "incoming/intake": {
        *("queues/answers", "inputs", "queues/model", "queues/store", "queues/stats"),
        *("incoming/sources", "process/metrics"),
    },
    "incoming/connecting": {
        "queues/answers",
        *("queues/model", "queues/store", "queues/stats", "incoming/platform", "incoming/sources"),
        *("incoming/intake", "process/addresses", "process/public_addresses", "process/sealing"),
    },
    "incoming/copying": {"queues/model", "queues/store", "queues/stats", "incoming/intake"},
    "forecasting/replay": {"queues/model"},
    "forecasting/history": {"queues/model", "forecasting/replay"},
    "forecasting/estimate": {"forecasting/history", "forecasting/replay"},
    "forecasting/forecast": {
        *("queues/model", "forecasting/estimate", "forecasting/history", "forecasting/replay"),
    },
    "forecasting/explanation": {
        *("queues/model", "forecasting/estimate", "forecasting/forecast", "forecasting/history"),
        "forecasting/replay",
    },
    "language/conditions": {"queues/model"},
    "language/configuration": {"queues/model", "language/conditions"},
    "language/rules": {"queues/model", "language/conditions", "language/configuration"},
    "language/report": {
        *("queues/model", "language/conditions", "language/configuration", "language/rules"),
        "forecasting/forecast",
    },
    "language/audit": {"queues/answers", "language/configuration"},
    "sandbox": set(),
    "judge": {
        *("language/audit", "queues/answers"),
        *("inputs", "sandbox", "signals/changes", "signals/thresholds", "signals/verdict"),
        *("queues/model", "language/conditions", "language/configuration", "language/rules"),
        *("language/report", "forecasting/replay", "forecasting/history", "forecasting/forecast"),
        "forecasting/explanation",
    },
    "simulation": {"queues/model", "judge", "sandbox"},
    "prediction": {
        *(
            "queues/answers",
            "queues/model",
            "queues/store",
            "queues/stats",
            "forecasting/forecast",
            "judge",
            "sandbox",
        ),
        *("signals/thresholds", "forecasting/explanation"),
    },
    "access": {"queues/model", "queues/store", "incoming/platform"},
    "tools": {"inputs", "queues/answers", "queues/model"},
    "api": {
        *("queues/answers", "inputs", "tools"),
        *("queues/model", "queues/store", "queues/stats", "queues/metrics", "queues/export"),
        *("incoming/sources", "incoming/intake", "incoming/connecting"),
        *("forecasting/forecast", "forecasting/explanation"),
        *("signals/thresholds", "signals/alerts", "signals/state", "signals/notices", "signals/removals"),
        *("judge", "sandbox", "simulation", "prediction", "access"),
        *("process/data_folder", "process/metrics", "process/sealing"),
    },
    "doctor": {
        *("queues/model", "queues/store", "incoming/platform", "incoming/sources", "incoming/intake"),
        *("process/data_folder", "process/memory", "access"),
    },
    "settings": {
        *("queues/model", "incoming/platform", "incoming/sources", "incoming/intake", "access"),
        *("process/addresses", "process/sealing", "signals/notices"),
    },
    "app": {
        *("queues/model", "queues/store", "incoming/platform", "incoming/forge", "incoming/sources"),
        *("incoming/intake", "incoming/connecting"),
        *("judge", "sandbox", "prediction", "access", "api", "settings"),
        *("process/logs", "process/metrics", "process/sealing"),
        *("signals/alerts", "signals/notices", "signals/removals"),
    },
    "cli": {
        *("queues/model", "queues/store", "queues/stats", "queues/export", "forecasting/forecast"),
        "forecasting/explanation",
        *("incoming/platform", "incoming/forge", "incoming/sources", "incoming/intake", "incoming/copying"),
        *(
            "queues/answers",
            "demo",
            "client",
            "judge",
            "sandbox",
            "simulation",
            "access",
            "doctor",
            "settings",
        ),
        *("app", "tools", "process/data_folder", "process/logs", "process/memory"),
    },
}
# What every package may import.
FOR_ALL = {
    *("errors", "process/background", "process/certificates", "process/clock", "process/concurrently"),
    *("process/counts", "process/interpreter", "process/lru"),
}
WINGS = {"process", "queues", "signals", "incoming", "forecasting", "language"}
# A person's own file of settings, which the command reads that the person starts.
SETTINGS_FILE = "cli/settings_file"
# Libraries that only these packages may import.
LIBRARIES: dict[str, set[str]] = {
    "sqlite3": {"queues/store/sqlite"},
    "numpy": {
        "queues/store/sqlite",
        "forecasting/estimate",
        "forecasting/explanation",
        "forecasting/forecast",
        "signals/changes",
        "signals/verdict",
    },
    "psycopg": {"queues/store/postgres"},
    "psycopg_pool": {"queues/store/postgres"},
    "starlette": {"api"},
    "uvicorn": {"app", "api/server"},
    "httpx": {"client", "incoming/platform", "signals/notices/posting"},
    "jwt": {"access", "incoming/platform"},
    "cryptography": {"access", "process/sealing"},
    "mcp": {"tools/protocol", "api/mcp_protocol", "cli/commands/mcp"},
    "mcp_types": {"tools/protocol"},
    "typer": {"cli"},
    "rich": {"cli"},
    "pydantic_settings": {"settings"},
    "prometheus_client": {"process/metrics"},
    "hashlib": {
        *("access", "api", "demo", "incoming/copying", "prediction", "queues/store", "signals/notices"),
        *("incoming/intake", "incoming/platform", "incoming/sources"),
    },
    "yaml": {"language/configuration", SETTINGS_FILE},
    "jinja2": {"language/configuration"},
    "subprocess": {"sandbox", "cli/clone"},
    "resource": {"sandbox", "api/server", "process/memory"},
    "ctypes": {"sandbox"},
    "signal": {"sandbox", "judge/child/time_limits", "app", "api/server", "cli/interruptible"},
}
# Modules of `forecast` that load no numerical library, for packages that only ask for forecasts or show them.
LIGHT_FORECAST = {
    *(f"forecasting/forecast/{name}.py" for name in ("requirements", "answer", "wording")),
    "forecasting/explanation/answer.py",
}
SOURCES = "incoming/sources"
# Shared modules of the sources that know the network, or load what does.
READ_SOURCES = {f"{SOURCES}/{name}" for name in ("source", "registry", "history_reader", "origin")}
# The part of `intake` that stores nothing itself, for packages that know no store.
IMPORTING = "incoming/intake/importing"
# Each knows one database driver.
STORE_KINDS = ("queues/store/sqlite", "queues/store/postgres")
READ_DOCUMENTS = {
    "language/audit",
    "language/conditions",
    "language/configuration",
    "language/rules",
    "language/report",
}
CHILD = "judge/child"
STANDARD_ONLY = {"queues/model", "queues/export", "signals/thresholds", "demo", "forecasting/replay"}
IMPURE = {"os", "socket", "time", "threading", "asyncio", "logging", "structlog", "subprocess", "secrets"}
REFUSED_NAMES = {"utils", "util", "helpers", "common", "core", "manager", "base", "misc", "service"}


class Tree:
    """The modules of a program, and what they import. Places are paths without `.py`: `queues/store/rows`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._statements: dict[str, list[ast.AST]] = {}

    @cached_property
    def modules(self) -> dict[str, Path]:
        found = sorted(self._folder.rglob("*.py"))
        return {path.relative_to(self._folder).with_suffix("").as_posix(): path for path in found}

    def below(self, package: str) -> list[str]:
        """The places of a package's modules."""
        return [place for place in self.modules if is_in(place, package)]

    def statements(self, place: str) -> list[ast.AST]:
        """All statements of a module, at every depth, without their expressions: those are most of a tree."""
        if place not in self._statements:
            found: list[ast.AST] = [ast.parse(self.modules[place].read_text(encoding="utf-8"))]
            for node in found:
                for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                    found += getattr(node, part, ())
            self._statements[place] = found
        return self._statements[place]

    def imported_names(self, place: str) -> set[str]:
        """Full names of everything a module imports."""
        names: set[str] = set()
        for node in self.statements(place):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
        return names

    def imported_places(self, place: str) -> set[str]:
        """The places in this program that a module imports."""
        own = {name for name in self.imported_names(place) if name.startswith("mergecast.")}
        return {name.removeprefix("mergecast.").replace(".", "/") for name in own} - {"__version__"}

    def imported_libraries(self, place: str) -> set[str]:
        return {name.partition(".")[0] for name in self.imported_names(place)} - {"mergecast"}


Rule = Callable[[Tree], Iterator[str]]


def is_in(place: str, package: str) -> bool:
    return place == package or place.startswith(f"{package}/")


def package_of(place: str) -> str:
    """The package that a place belongs to: two names in a wing, one elsewhere."""
    first, _, rest = place.partition("/")
    return f"{first}/{rest.partition('/')[0]}" if first in WINGS else first


def every_package_has_its_rule(tree: Tree) -> Iterator[str]:
    """A new package must say what it may import."""
    empty = {f"{wing}/__init__" for wing in WINGS} | {"__init__", "__main__"}
    found = {package_of(place) for place in tree.modules if place not in empty}
    yield from (f"{package} has no rule" for package in sorted(found - MAY_IMPORT.keys()))


def packages_import_only_what_is_below_them(tree: Tree) -> Iterator[str]:
    """Imports run in one direction."""
    for place in tree.modules:
        own = package_of(place)
        allowed = MAY_IMPORT.get(own, set()) | FOR_ALL | {own}
        for other in sorted(tree.imported_places(place)):
            if package_of(other) not in allowed and place != "__main__":
                yield f"{place} imports {other}"


def libraries_stay_in_their_packages(tree: Tree) -> Iterator[str]:
    """SQL drivers in the store, HTTP in the API, the terminal in the command line."""
    for place in tree.modules:
        for library in sorted(tree.imported_libraries(place) & LIBRARIES.keys()):
            if not any(is_in(place, room) for room in LIBRARIES[library]):
                yield f"{place} imports {library}"


def only_the_opening_of_stores_knows_their_kinds(tree: Tree) -> Iterator[str]:
    """Everything outside a kind of store sees only what all kinds share."""
    for place in tree.modules:
        if place == "queues/store/opening" or place.startswith(STORE_KINDS):
            continue
        for other in sorted(tree.imported_places(place)):
            if any(is_in(other, kind) for kind in STORE_KINDS):
                yield f"{place} imports {other}"


def only_children_that_forecast_load_numerical_libraries(tree: Tree) -> Iterator[str]:
    """The others use modules of `forecast` that import nothing heavy."""
    light = {path.removesuffix(".py") for path in LIGHT_FORECAST}
    for package in ("prediction", "api", "cli", "language/report"):
        for place in tree.below(package):
            for other in sorted(tree.imported_places(place)):
                if is_in(other, "forecasting") and not any(is_in(other, module) for module in light):
                    yield f"{place} imports {other}"
    for place in sorted(light):
        for other in sorted(tree.imported_places(place)):
            if not any(is_in(other, module) for module in ("queues/model", *light)):
                yield f"{place} imports {other}"


def imports_run_without_a_store(tree: Tree) -> Iterator[str]:
    """A command imports through a server: the code that it shares with the server knows no store."""
    for package in ("cli", "doctor", "settings"):
        for place in tree.below(package):
            for other in sorted(tree.imported_places(place)):
                if is_in(other, "incoming/intake") and not is_in(other, IMPORTING):
                    yield f"{place} imports {other}"
    for place in tree.below(IMPORTING):
        for other in sorted(tree.imported_places(place)):
            is_of_store = is_in(other, "queues/store") or is_in(other, "queues/stats")
            if is_of_store or (is_in(other, "incoming/intake") and not is_in(other, IMPORTING)):
                yield f"{place} imports {other}"


def pure_packages_touch_nothing_outside(tree: Tree) -> Iterator[str]:
    """No files, network, clock, environment or other libraries in the pure packages."""
    refused = IMPURE | LIBRARIES.keys() - {"hashlib"}
    for package in sorted(STANDARD_ONLY):
        yield from _imports_among(tree, package, refused)


def packages_that_read_documents_touch_nothing_outside(tree: Tree) -> Iterator[str]:
    """They may use libraries that parse, and no files, network, clock or environment."""
    for package in sorted(READ_DOCUMENTS):
        yield from _imports_among(tree, package, IMPURE | {"pathlib", "signal", "resource"})


def doctors_judge_from_what_was_observed(tree: Tree) -> Iterator[str]:
    """What is wrong follows from values, so that every situation can be judged without bringing it about."""
    yield from _imports_among(tree, "doctor/judging", IMPURE)
    for place in tree.below("doctor/judging"):
        for other in sorted(tree.imported_places(place)):
            if is_in(other, "doctor/observing"):
                yield f"{place} imports {other}"


def _imports_among(tree: Tree, package: str, refused: set[str]) -> Iterator[str]:
    for place in tree.below(package):
        for library in sorted(tree.imported_libraries(place) & refused):
            yield f"{place} imports {library}"


def sources_observe_and_translate_without_side_effects(tree: Tree) -> Iterator[str]:
    """Only `history` in a source's package reads a platform; the package itself loads it when it is used."""
    refused = IMPURE | LIBRARIES.keys() - {"hashlib"} | {"pathlib", "random"}
    for place in tree.below(SOURCES):
        if _reads_a_source(place) or place.endswith("/__init__"):
            continue
        yield from (f"{place} imports {name}" for name in sorted(tree.imported_libraries(place) & refused))
        for other in sorted(tree.imported_places(place)):
            if _reads_a_source(other) or other.endswith("/SOURCE") or is_in(other, "incoming/platform"):
                yield f"{place} imports {other}"


def _reads_a_source(place: str) -> bool:
    parts = place.removeprefix(f"{SOURCES}/").split("/")
    is_history = len(parts) > 1 and parts[1] == "history"
    return is_in(place, SOURCES) and (is_history or any(is_in(place, module) for module in READ_SOURCES))


def only_children_read_documents(tree: Tree) -> Iterator[str]:
    """No module that the server or a command loads imports a module that reads documents."""
    for place in tree.modules:
        if package_of(place) in READ_DOCUMENTS or is_in(place, CHILD) or place == SETTINGS_FILE:
            continue
        readers = {other for other in tree.imported_places(place) if package_of(other) in READ_DOCUMENTS}
        for name in sorted(readers | tree.imported_libraries(place) & {"yaml", "jinja2"}):
            yield f"{place} imports {name}"


def only_the_child_imports_its_package(tree: Tree) -> Iterator[str]:
    """The parent starts the child by name and never imports its modules."""
    for place in tree.modules:
        for other in sorted(tree.imported_places(place)):
            if is_in(other, CHILD) and not is_in(place, CHILD):
                yield f"{place} imports {other}"


def no_module_has_a_meaningless_name(tree: Tree) -> Iterator[str]:
    """A module with such a name collects unrelated code."""
    for place in tree.modules:
        for name in sorted(REFUSED_NAMES.intersection(place.split("/"))):
            yield f"{place} is called {name}"


def modules_and_functions_stay_small(tree: Tree) -> Iterator[str]:
    """No module over 600 lines, no function over 60."""
    for place, path in tree.modules.items():
        lines = path.read_text(encoding="utf-8").count("\n")
        if lines > 600:
            yield f"{place} has {lines} lines"
        for node in tree.statements(place):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                length = (node.end_lineno or 0) - node.lineno
                if length > 60:
                    yield f"{place} {node.name} has {length} lines"


RULES: tuple[Rule, ...] = (
    every_package_has_its_rule,
    packages_import_only_what_is_below_them,
    libraries_stay_in_their_packages,
    only_the_opening_of_stores_knows_their_kinds,
    only_children_that_forecast_load_numerical_libraries,
    imports_run_without_a_store,
    pure_packages_touch_nothing_outside,
    packages_that_read_documents_touch_nothing_outside,
    sources_observe_and_translate_without_side_effects,
    doctors_judge_from_what_was_observed,
    only_children_read_documents,
    only_the_child_imports_its_package,
    no_module_has_a_meaningless_name,
    modules_and_functions_stay_small,
)
