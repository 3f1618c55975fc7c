"""The Dockerfile and the Compose file pass their linters."""

import subprocess
import sys
from pathlib import Path

from deploy.files import ROOT


def _run(*command: str) -> str:
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 else run.stdout + run.stderr


def test_compose_file() -> None:
    command = ("check_jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml")
    assert "" == _run(sys.executable, "-m", *command)


def test_a_misspelt_field_is_noticed(tmp_path: Path) -> None:
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(
        (ROOT / "compose.yaml").read_text("utf-8").replace("healthcheck:", "helthcheck:"), "utf-8"
    )
    command = ("check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(wrong))

    assert "'helthcheck' was unexpected" in _run(sys.executable, "-m", *command)


def test_dockerfile() -> None:
    linter = Path(sys.executable).with_name("hadolint")
    assert "" == _run(str(linter), "--no-color", "Dockerfile")
