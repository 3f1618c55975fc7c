"""Every package imports only the packages below it, and only the libraries it is allowed to use."""

import ast
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "mergecast"

MAY_IMPORT: dict[str, set[str]] = {
    "model": set(),
    "demo": set(),
    "replay": {"model"},
    "history": {"model", "replay"},
    "estimate": {"history", "replay"},
    "forecast": {"model", "estimate", "history", "replay"},
    "store": {"model"},
    "client": set(),
    "platform": {"model"},
    "access": {"model", "store", "platform"},
    "forge": {"model", "platform"},
    "sources": {"model", "platform"},
    "ingest": {"model", "store"},
    "intake": {"model", "store", "sources", "ingest", "stats"},
    "stats": {"model", "store"},
    "conditions": {"model"},
    "configuration": {"model", "conditions"},
    "rules": {"model", "conditions", "configuration"},
    "report": {"model", "conditions", "configuration", "rules", "forecast"},
    "judge": {
        *("json_object", "model", "conditions", "configuration", "rules", "report"),
        *("replay", "history", "forecast"),
    },
    "api": {
        "json_object",
        "model",
        "store",
        "sources",
        "ingest",
        "intake",
        "stats",
        "access",
        "judge",
        "forecast",
        "data_folder",
    },
    "cli": {
        *("model", "store", "platform", "client", "stats", "forge", "demo", "judge", "forecast"),
        *("access", "app", "copying", "settings", "data_folder", "logs", "sources", "memory"),
    },
    "app": {
        *("model", "store", "access", "platform", "forge", "judge", "api", "intake"),
        *("connection", "settings", "logs"),
    },
    "copying": {"model", "store", "intake", "stats"},
    "connection": {"access", "connection_refusals"},
    "connection_refusals": set(),
    "settings": {"access", "model", "platform", "sources"},
    "data_folder": set(),
    "logs": set(),
    "errors": set(),
    "json_object": {"model"},
    "lru": set(),
    "garbage": set(),
    "clock": set(),
    "memory": set(),
}
# Libraries that only these packages may import.
LIBRARIES: dict[str, set[str]] = {
    "duckdb": {"store/duckdb"},
    "numpy": {"store/duckdb", "estimate", "forecast"},
    "psycopg": {"store/postgres"},
    "psycopg_pool": {"store/postgres"},
    "starlette": {"api"},
    "uvicorn": {"app", "connection"},
    "httpx": {"client", "platform"},
    "jwt": {"access", "platform"},
    "cryptography": {"access"},
    "typer": {"cli"},
    "rich": {"cli"},
    "pydantic_settings": {"settings"},
    "prometheus_client": {"api"},
    "hashlib": {"access", "api", "copying", "intake", "platform", "sources", "store"},
    "yaml": {"configuration"},
    "jinja2": {"configuration"},
    "subprocess": {"judge"},
    "resource": {"judge", "connection", "memory"},
    "ctypes": {"judge"},
    "signal": {"judge", "app"},
}
# Modules of `forecast` that load no numerical library, for packages that only ask for forecasts or show them.
LIGHT_FORECAST = {f"mergecast.forecast.{name}" for name in ("requirements", "wording")}
# Each knows one database driver.
STORE_KINDS = ("store/duckdb/", "store/postgres/")
STORE_MODULES = {"mergecast.store.duckdb", "mergecast.store.postgres"}
WITHOUT_SIDE_EFFECTS = {"conditions", "configuration", "rules", "report"}
# Modules that read documents belong in child processes; only those may load them.
DOCUMENT_READERS = {"yaml", "jinja2", *(f"mergecast.{package}" for package in WITHOUT_SIDE_EFFECTS)}
CHILD_ONLY = "judge/child/"
STANDARD_ONLY = {"model", "demo", "replay"}
IMPURE = {"os", "socket", "time", "threading", "asyncio", "logging", "structlog", "subprocess", "secrets"}
REFUSED_NAMES = {"utils", "util", "helpers", "common", "core", "manager", "base", "misc", "service"}


@cache
def _statements(module: Path) -> list[ast.AST]:
    """All statements of a module, at every depth, without their expressions: those are most of a tree."""
    found: list[ast.AST] = [ast.parse(module.read_text(encoding="utf-8"))]
    for node in found:
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            found += getattr(node, part, ())
    return found


@cache
def _imports(module: Path) -> frozenset[str]:
    """Full names of everything a module imports."""
    names: set[str] = set()
    for node in _statements(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return frozenset(names)


def _ours(names: frozenset[str]) -> set[str]:
    return {name.split(".")[1] for name in names if name.startswith("mergecast.")} - {
        "errors",
        "lru",
        "garbage",
        "clock",
        "__version__",
    }


@cache
def _modules(package: str) -> list[Path]:
    single = SOURCE / f"{package}.py"
    return [single] if single.exists() else sorted((SOURCE / package).rglob("*.py"))


@cache
def _all_modules() -> dict[str, Path]:
    """The modules of all packages by their places."""
    return {module.relative_to(SOURCE).as_posix(): module for module in SOURCE.rglob("*.py")}


def test_every_package_has_its_rule() -> None:
    """A new package must say what it may import."""
    found = {
        path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }

    assert MAY_IMPORT.keys() | {"__init__", "__main__"} == found


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_package_imports_only_what_is_below_it(package: str) -> None:
    """Imports run in one direction."""
    for module in _modules(package):
        extra = _ours(_imports(module)) - MAY_IMPORT[package] - {package}

        assert not extra, f"{module.relative_to(SOURCE)} imports {sorted(extra)}"


@pytest.mark.parametrize("library", LIBRARIES)
def test_libraries_stay_in_their_packages(library: str) -> None:
    """SQL drivers in the store, HTTP in the API, the terminal in the command line."""
    for place, module in _all_modules().items():
        if not place.startswith(tuple(f"{room}{end}" for room in LIBRARIES[library] for end in ("/", ".py"))):
            known = {name.split(".")[0] for name in _imports(module)}

            assert library not in known, f"{place} imports {library}"


def test_only_the_opening_of_stores_knows_their_kinds() -> None:
    """Everything outside a kind of store sees only what all kinds share."""
    for place, module in _all_modules().items():
        if place != "store/opening.py" and not place.startswith(STORE_KINDS):
            kinds = {name for name in _imports(module) if _is_below(name, STORE_MODULES)}

            assert not kinds, f"{place} imports {sorted(kinds)}"


@pytest.mark.parametrize("package", ["api", "cli", "report"])
def test_only_children_that_forecast_load_numerical_libraries(package: str) -> None:
    """The others use modules of `forecast` that import nothing heavy."""
    for module in _modules(package):
        used = {name for name in _imports(module) if _is_below(name, {"mergecast.forecast"})}

        assert all(_is_below(name, LIGHT_FORECAST) for name in used), f"{module} imports {sorted(used)}"
    for name in LIGHT_FORECAST:
        module = SOURCE / "forecast" / f"{name.rpartition('.')[2]}.py"

        assert _ours(_imports(module)) <= {"model"}, module


@pytest.mark.parametrize("package", sorted(STANDARD_ONLY))
def test_pure_packages_touch_nothing_outside(package: str) -> None:
    """No files, network, clock, environment or other libraries in the pure packages."""
    for module in _modules(package):
        known = {name.split(".")[0] for name in _imports(module)} - {"mergecast"}

        assert not known & (IMPURE | LIBRARIES.keys() - {"hashlib"}), module


@pytest.mark.parametrize("package", sorted(WITHOUT_SIDE_EFFECTS))
def test_packages_that_read_documents_touch_nothing_outside(package: str) -> None:
    """They may use libraries that parse, and no files, network, clock or environment."""
    for module in _modules(package):
        known = {name.split(".")[0] for name in _imports(module)} - {"mergecast"}

        assert not known & (IMPURE | {"pathlib", "socket", "signal", "resource"}), module


def test_no_module_has_a_meaningless_name() -> None:
    """A module with such a name collects unrelated code."""
    names = {path.stem for path in SOURCE.rglob("*.py")} | {path.name for path in SOURCE.iterdir()}

    assert set() == names & REFUSED_NAMES


def test_modules_and_functions_stay_small() -> None:
    """No module over 400 lines, no function over 60."""
    for module in _all_modules().values():
        text = module.read_text(encoding="utf-8")

        assert text.count("\n") <= 400, module
        for node in _statements(module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert (node.end_lineno or 0) - node.lineno <= 60, f"{module} {node.name}"


def test_only_children_read_documents() -> None:
    """No module that the server or a command loads imports a module that reads documents."""
    for package in MAY_IMPORT.keys() - WITHOUT_SIDE_EFFECTS:
        for module in _modules(package):
            if module.relative_to(SOURCE).as_posix().startswith(CHILD_ONLY):
                continue
            known = _imports(module)
            readers = {name for name in known if _is_below(name, DOCUMENT_READERS)}

            assert not readers, f"{module.relative_to(SOURCE)} imports {sorted(readers)}"


def test_only_the_child_imports_its_package() -> None:
    """The parent starts the child by name and never imports its modules."""
    for place, module in _all_modules().items():
        if place.startswith(CHILD_ONLY):
            continue

        assert not any(_is_below(name, {"mergecast.judge.child"}) for name in _imports(module)), module


def _is_below(name: str, roots: set[str]) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)
