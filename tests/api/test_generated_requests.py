"""Thousands of requests that schemathesis generates from the OpenAPI document; all responses match it.

Two of its checks contradict the contract and are off: `missing_required_header` wants 401 where the contract
has 403; `positive_data_acceptance` cannot know rules that OpenAPI cannot express: that `start_at` must
precede `end_at`, that a repository must be known, or what makes an event valid. The stream of new data
is left out: it lasts ten minutes, and `test_live.py` tests it.

Every value at and beyond a limit is sent to one of the operations that have the same parameters; the others
get a few generated requests each.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from builders import worked_example
from live_server import TOKEN, live_server

_CHECKS_OFF = "missing_required_header,positive_data_acceptance"
_SECONDS = 1800  # it takes about a minute of CPU time


def test_generated_requests(tmp_path: Path) -> None:
    """All phases and all other checks: statuses, media types, headers, schemas, rejection of invalid data."""
    variables = {
        "SCHEMATHESIS_HOOKS": "api.generated_lines",
        "PYTHONPATH": str(Path(__file__).parents[1]),
        # The tables of Unicode, which other tests have computed already.
        "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(__file__).parents[2] / ".hypothesis"),
    }
    with live_server(tmp_path / "data") as server:
        server.send(worked_example()).raise_for_status()
        description = server.http.get("/v1/openapi.json")
        operations = sum(len(methods) for methods in description.json()["paths"].values())
        # From a file: given a URL, schemathesis would omit the path of the OpenAPI document itself.
        (tmp_path / "openapi.json").write_bytes(description.content)
        repeated = list(_with_parameters_of_another(description.json()["paths"]))
        (tmp_path / "schemathesis.toml").write_text("".join(map(_without_limits, repeated)), encoding="utf-8")

        run = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "--no-color", "run", "openapi.json",
             "--url", server.url, "--header", f"Authorization: Bearer {TOKEN}",
             "--exclude-checks", _CHECKS_OFF, "--exclude-path-regex", "/live$",
             "--max-examples", "5", "--generation-deterministic",
             "--no-shrink", "--continue-on-failure", "--request-timeout", "300", "--warnings", "off"],
            cwd=tmp_path, env={**os.environ, **variables}, capture_output=True, text=True, check=False,
            timeout=_SECONDS,
        )  # fmt: skip

    assert repeated
    assert 0 == run.returncode, run.stdout[-8000:] + run.stderr[-2000:]
    assert f"Selected: {operations - 1}/{operations}" in run.stdout


def _with_parameters_of_another(paths: dict[str, dict[str, Any]]) -> Iterator[str]:
    """The operations that are asked for something in the query exactly as one before them is."""
    known: set[str] = set()
    for path, methods in paths.items():
        for method, operation in methods.items():
            parameters = operation.get("parameters", [])
            key = json.dumps([method, parameters, operation.get("requestBody")])
            if any(one["in"] == "query" for one in parameters):
                if key in known:
                    yield f"{method.upper()} {path}"
                known.add(key)


def _without_limits(operation: str) -> str:
    return f'[[operations]]\ninclude-name = "{operation}"\nphases.coverage.enabled = false\n'
