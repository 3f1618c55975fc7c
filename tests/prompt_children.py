"""A fork server whose children have the priority of the tests, and need not wait for all other tests.

python prompt_children.py MODULE PARENT: runs the module as the program that forks the children.
"""

import runpy
import sys
from pathlib import Path

DOCUMENTS, FORECASTS = (
    (sys.executable, "-I", str(Path(__file__)), module)
    for module in ("mergecast.judge.child", "mergecast.judge.child.forecasting")
)


def _main(module: str) -> None:
    from mergecast.sandbox import forking  # noqa: PLC0415 - only in a process of its own

    vars(forking)["yield_to_others"] = lambda: None
    runpy.run_module(module, run_name="__main__")


if __name__ == "__main__":
    _main(sys.argv.pop(1))
