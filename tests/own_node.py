"""The Node that builds the dashboard. It may be only inside .venv, so `scripts/dashboard` runs it."""

from pathlib import Path

_ROOT = Path(__file__).parents[1]
NODE = (str(_ROOT / "scripts" / "dashboard"), "node")
NPM = (str(_ROOT / "scripts" / "dashboard"), "npm")


def why_not() -> str | None:
    """Why there is no Node, or no package of the dashboard, if that is so."""
    if (_ROOT / "dashboard" / "node_modules" / ".installed").is_file():
        return None
    return "the packages of the dashboard are not installed: run scripts/dashboard"
