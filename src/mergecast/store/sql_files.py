"""SQL text by the name of its file."""

from functools import cache
from importlib.resources import files


@cache
def sql(name: str) -> str:
    return (files("mergecast.store") / "sql" / f"{name}.sql").read_text(encoding="utf-8")


def migrations() -> list[tuple[int, str]]:
    """Number and text of every migration, in order."""
    folder = files("mergecast.store") / "migrations"
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name.split("_")[0]), entry.read_text(encoding="utf-8")) for name, entry in found]
