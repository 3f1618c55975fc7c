"""The files that deploy the server."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def documents(path: Path) -> dict[str, Any]:
    """The documents of a YAML file, by kind; of several of a kind, the first."""
    every = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    kinds = dict.fromkeys(one["kind"] for one in every)
    return {kind: next(one for one in every if one["kind"] == kind) for kind in kinds}


def dockerfile(pattern: str) -> str:
    """What the group of a pattern matches in the Dockerfile."""
    found = re.search(pattern, (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    assert found is not None, pattern
    return found.group(1)
