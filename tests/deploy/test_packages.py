"""The wheel and the source distribution: complete, installable, and clear about what is missing."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import HeaderParser
from pathlib import Path

import pytest

from api.recorded_pulls import record
from browser_windows import Window, chromium, why_not
from deploy.environments import environment_with
from deploy.files import ROOT
from logged_secrets import watch_file
from mergecast import __version__
from waiting import MOST_SECONDS, wait_until

pytestmark = [pytest.mark.server, pytest.mark.thorough]
_DASHBOARD = Path("src", "mergecast", "api", "dashboard")
_FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md")
_TOOLS = Path(sys.executable).parent
_DOCUMENT = (
    "pull_request_rules: [{name: greet, conditions: [base = main], actions: {comment: {message: Hi}}}]\n"
)


@dataclass(frozen=True, slots=True)
class Packages:
    wheel: Path
    sources: Path


def _run(*command: str | Path, folder: Path = ROOT, **environment: str) -> "subprocess.CompletedProcess[str]":
    outside = {n: value for n, value in os.environ.items() if not n.startswith(("PYTHON", "MERGECAST_"))}
    return subprocess.run(
        command, cwd=folder, env={**outside, **environment}, capture_output=True, text=True, check=False
    )


def _copy_of_the_clone(folder: Path) -> Path:
    for name in _FILES:
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    """Both packages, built as scripts/build does: the wheel from the source distribution, without Node."""
    if not (ROOT / _DASHBOARD / "index.html").is_file():
        pytest.skip("the dashboard is not built: run scripts/dashboard")
    clone = _copy_of_the_clone(tmp_path_factory.mktemp("clone"))
    built = _run(sys.executable, "-m", "build", "--no-isolation", folder=clone, PATH="/nowhere")
    assert 0 == built.returncode, built.stdout + built.stderr
    (wheel,), (sources,) = (clone / "dist").glob("*.whl"), (clone / "dist").glob("*.tar.gz")
    return Packages(wheel, sources)


def test_both_packages_are_well_formed(packages: Packages) -> None:
    """The index accepts them, and the wheel contains every file of the package and nothing else."""
    checked = _run(_TOOLS / "twine", "check", "--strict", packages.wheel, packages.sources)
    contents = _run(_TOOLS / "check-wheel-contents", packages.wheel)
    package = ROOT / "src" / "mergecast"
    expected = {
        path.relative_to(ROOT / "src").as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    with zipfile.ZipFile(packages.wheel) as wheel:
        contained = {name for name in wheel.namelist() if not name.startswith("mergecast-")}
        metadata = HeaderParser().parsestr(
            wheel.read(f"mergecast-{__version__}.dist-info/METADATA").decode("utf-8")
        )
    with tarfile.open(packages.sources) as sources:
        names = {name.partition("/src/")[2] for name in sources.getnames()}

    assert (0, 0) == (checked.returncode, contents.returncode), checked.stdout + contents.stdout
    assert expected == contained
    assert expected <= names
    assert {"mergecast/py.typed", "mergecast/api/dashboard/licenses.json"} <= contained
    assert ("Apache-2.0", ">=3.11") == (metadata["License-Expression"], metadata["Requires-Python"])


def test_the_bare_wheel(packages: Packages, tmp_path: Path) -> None:
    """What needs no store works; what needs the server names the command that installs it."""
    programs = environment_with(packages.wheel, "", tmp_path / "environment")
    (tmp_path / "a.yml").write_text(_DOCUMENT, encoding="utf-8")
    (tmp_path / "7.json").write_text(json.dumps(record()), encoding="utf-8")
    mergecast = programs / "mergecast"

    checked = _run(mergecast, "check", "a.yml", folder=tmp_path)
    simulated = _run(
        *(mergecast, "simulate", "acme/engine#7", "-f", "a.yml", "--snapshot", "7.json"), folder=tmp_path
    )
    served = _run(mergecast, "serve", folder=tmp_path)
    examined = _run(mergecast, "doctor", folder=tmp_path, MERGECAST_GITHUB_URL="")

    assert (0, 0) == (checked.returncode, simulated.returncode), checked.stderr + simulated.stderr
    assert "greet" in simulated.stdout
    assert served.stderr.startswith("mergecast: this needs the server, which is not installed (")
    assert served.stderr.endswith(" is missing): install it with `pip install 'mergecast[server]'`\n")
    assert 1 == served.returncode
    assert (0, "") == (examined.returncode, examined.stderr)
    assert "warning  installation  the server is not installed (" in examined.stdout


@pytest.fixture
def printed_link(packages: Packages, tmp_path: Path) -> Iterator[str]:
    """The link that a server from the wheel prints."""
    programs = environment_with(packages.wheel, "server", tmp_path / "environment")
    log = tmp_path / "server.log"
    watch_file(log)
    with (
        log.open("wb") as stderr,
        subprocess.Popen(
            [programs / "mergecast", "serve", "--port", "0"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline() for _ in range(3)]
            wait_until((tmp_path / "data" / "server.json").exists, "the start of the server")
            assert "ready\n" == _run(programs / "mergecast", "admin", "ready", folder=tmp_path).stdout
            yield lines[2].removeprefix("to sign in, open ").partition(" ")[0]
        finally:
            process.send_signal(signal.SIGTERM)
            assert 0 == process.wait(timeout=MOST_SECONDS)


def test_the_wheel_with_the_server(printed_link: str) -> None:
    """A browser follows the link that it prints."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    with chromium() as browser:
        window = Window(browser.new_page(), printed_link)
        window.page.goto(printed_link)
        window.sees("Repositories")
        assert [] == window.unexpected_messages()


@pytest.mark.skipif(
    not os.environ.get("MERGECAST_TEST_INDEX"),
    reason="downloads the libraries from a package index: set MERGECAST_TEST_INDEX=1",
)
def test_running_the_wheel_without_installing_it(packages: Packages, tmp_path: Path) -> None:
    """With what the index has, and not with what is here."""
    (tmp_path / ".mergify.yml").write_text(_DOCUMENT, encoding="utf-8")
    bare, with_server = (
        (_TOOLS / "uvx", "--quiet", "--from", f"{packages.wheel}{extra}", "mergecast")
        for extra in ("", "[server]")
    )

    checked = _run(*bare, "check", folder=tmp_path)
    filled = _run(*with_server, "demo", folder=tmp_path)
    shown = _run(*with_server, "summary", "demo/harbor", folder=tmp_path)

    assert (0, ".mergify.yml is valid\n") == (checked.returncode, checked.stdout), checked.stderr
    assert (0, 0) == (filled.returncode, shown.returncode), filled.stderr + shown.stderr
    assert shown.stdout.startswith("demo/harbor · ")


def test_an_installer_on_an_old_python_says_so(packages: Packages) -> None:
    ended = _run(
        *(_TOOLS / "python", "-m", "pip", "download", "--no-deps", "--no-index", "--only-binary=:all:"),
        *("--python-version", "3.10", packages.wheel),
    )

    assert 1 == ended.returncode
    assert "ERROR: Package 'mergecast' requires a different Python: 3.10" in ended.stderr


@pytest.fixture
def clone_without_dashboard(tmp_path: Path) -> Path:
    """One module is enough to build a package."""
    for name in (*_FILES, "src/mergecast/__init__.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, file)
    return tmp_path


def test_without_the_dashboard_there_is_no_source_distribution(clone_without_dashboard: Path) -> None:
    """So `python -m build` builds nothing, and says what to do."""
    ended = _run(sys.executable, "-m", "build", "--no-isolation", folder=clone_without_dashboard)

    message = "error: the dashboard is not built: run scripts/dashboard first, or scripts/build, which does"
    assert 1 == ended.returncode
    assert message in ended.stderr.splitlines()
    assert not list(clone_without_dashboard.glob("dist/*"))


def test_a_wheel_without_the_dashboard_says_so(clone_without_dashboard: Path) -> None:
    """pip and pre-commit build one to install commands."""
    ended = _run(sys.executable, "-m", "build", "--no-isolation", "--wheel", folder=clone_without_dashboard)

    assert 0 == ended.returncode, ended.stderr
    assert "the dashboard is not built, so this wheel has none: run scripts/dashboard first" in ended.stderr
    assert len(list(clone_without_dashboard.glob("dist/*.whl"))) == 1


def test_an_old_python_gets_a_sentence() -> None:
    """Instead of a syntax error, where no installer has checked the version."""
    program = "import sys; sys.version_info = (3, 10, 2); import mergecast"

    ended = _run(sys.executable, "-c", program)

    message = "mergecast: needs Python 3.11 or later, and this is Python 3.10\n"
    assert (1, message) == (ended.returncode, ended.stderr)
