"""The files of the scenarios: a document and a recorded pull request that a team would recognize.

Each folder of `tests/scenarios` is one scenario. The pull requests are variations of `pull_request.json`:
`changes.json` in the folder of a scenario says what is different, as a JSON Merge Patch (RFC 7396). Objects
are merged, null removes a part, and any other value replaces what was there.
"""

import json
from pathlib import Path
from typing import Any

SCENARIOS = Path(__file__).parent / "scenarios"
NAMES = sorted(folder.name for folder in SCENARIOS.iterdir() if folder.is_dir())


def document_text(name: str) -> str:
    return (SCENARIOS / name / "document.yml").read_text(encoding="utf-8")


def recorded_pull(name: str) -> dict[str, Any]:
    """The recorded pull request of a scenario, complete."""
    base, changes = (_read(SCENARIOS / file) for file in ("pull_request.json", f"{name}/changes.json"))
    record: dict[str, Any] = _changed(base, changes)
    return record


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def _changed(value: Any, changes: Any) -> Any:
    if not isinstance(changes, dict):
        return changes
    merged = dict(value) if isinstance(value, dict) else {}
    for key, change in changes.items():
        if change is None:
            merged.pop(key, None)
        else:
            merged[key] = _changed(merged.get(key), change)
    return merged
