"""`scripts/test --repeat` runs tests in other orders, and says which failed how often."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_TESTS = """\
import os
import pytest

@pytest.fixture(autouse=True)
def note(request):
    with open("order", "a") as file:
        file.write(request.node.name + " ")

def test_a(): pass
def test_b(): pass
def test_c(): pass
def test_d(): pass

@pytest.mark.parametrize("seed", ["odd - or even"])
def test_sometimes(seed):
    assert int(os.environ["TEST_ORDER_SEED"]) % 2 == 0
"""


def _repeat(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    (folder / "tests").mkdir()
    shutil.copy(_ROOT / "tests" / "changed_order.py", folder / "tests")
    (folder / "tests" / "conftest.py").write_text('pytest_plugins = ["changed_order"]\n', encoding="utf-8")
    (folder / "tests" / "test_few.py").write_text(_TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text(
        "[pytest]\npythonpath = tests\naddopts = -p no:schemathesis -p no:hypothesispytest\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(_ROOT / "scripts" / "repeat_tests.py"), *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    ended = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, env=kept)
    return ended.returncode, ended.stdout.splitlines()


@pytest.mark.thorough
def test_a_test_that_fails_sometimes(tmp_path: Path) -> None:
    code, lines = _repeat(tmp_path, "2", "--seed", "100", "tests", "--maxprocesses", "1")

    shared = [((os.cpu_count() or 1) * 2, "worksteal"), (1, "load")]
    assert [
        *(
            f"run {number} of 2: {number % 2} failed, see build/repeat/run-{number}.txt; "
            f"TEST_ORDER_SEED={100 + number} .venv/bin/pytest --numprocesses {workers} --dist {way} "
            "tests --maxprocesses 1"
            for number, (workers, way) in enumerate(shared, 1)
        ),
        "tests/test_few.py::test_sometimes[odd - or even] failed 1 of 2 times: in run 1",
    ] == lines
    assert 1 == code
    assert "1 failed, 4 passed" in (tmp_path / "build/repeat/run-1.txt").read_text(encoding="utf-8")


@pytest.mark.thorough
def test_the_order_changes_with_the_seed(tmp_path: Path) -> None:
    code, lines = _repeat(tmp_path, "3", "--seed", "1", "tests", "-k", "not sometimes", "--maxprocesses", "1")

    order = (tmp_path / "order").read_text(encoding="utf-8").split()
    runs = [tuple(order[start : start + 4]) for start in (0, 4, 8)]
    assert (0, "no test failed in 3 runs") == (code, lines[-1])
    assert [["test_a", "test_b", "test_c", "test_d"]] * 3 == [sorted(run) for run in runs]
    assert 3 == len(set(runs))


@pytest.mark.thorough
def test_a_run_that_does_not_begin(tmp_path: Path) -> None:
    code, lines = _repeat(tmp_path, "1", "missing")

    assert (1, "pytest itself, with exit code 5, failed 1 of 1 times: in run 1") == (code, lines[-1])
