"""Each rule of `layers.py` finds a violation that is planted into a small program."""

from pathlib import Path

import pytest

from layers import RULES, Rule, Tree

_LONG_FUNCTION = "def long() -> None:\n" + "    print()\n" * 61

# By rule: where it is planted, the text of the module, and what the rule says.
PLANTED = [
    ("every_package_has_its_rule", "queues/extra/one", "", "queues/extra has no rule"),
    ("every_package_has_its_rule", "extra", "", "extra has no rule"),
    (
        "packages_import_only_what_is_below_them",
        "queues/store/one",
        "def late():\n    from mergecast.api.routes import ROUTES\n",
        "queues/store/one imports api/routes/ROUTES",
    ),
    (
        "packages_import_only_what_is_below_them",
        "incoming/sources/one",
        "import mergecast.queues.store.rows\n",
        "incoming/sources/one imports queues/store/rows",
    ),
    (
        "packages_import_only_what_is_below_them",
        "access/one",
        "from mergecast.process.data_folder import DataFolder\n",
        "access/one imports process/data_folder/DataFolder",
    ),
    (
        "packages_import_only_what_is_below_them",
        "simulation/one",
        "from mergecast.incoming.forge.live import LiveForge\n",
        "simulation/one imports incoming/forge/live/LiveForge",
    ),
    ("libraries_stay_in_their_packages", "cli/one", "import sqlite3\n", "cli/one imports sqlite3"),
    (
        "libraries_stay_in_their_packages",
        "simulation/one",
        "from starlette.requests import Request\n",
        "simulation/one imports starlette",
    ),
    ("libraries_stay_in_their_packages", "api/one", "import uvicorn.config\n", "api/one imports uvicorn"),
    (
        "libraries_stay_in_their_packages",
        "incoming/forge/one",
        "try:\n    from httpx import get\nexcept ImportError:\n    pass\n",
        "incoming/forge/one imports httpx",
    ),
    (
        "doctors_judge_from_what_was_observed",
        "doctor/judging/one",
        "import os\n",
        "doctor/judging/one imports os",
    ),
    (
        "doctors_judge_from_what_was_observed",
        "doctor/judging/two",
        "from mergecast.doctor.observing.machine import observe_folder\n",
        "doctor/judging/two imports doctor/observing/machine/observe_folder",
    ),
    (
        "imports_run_without_a_store",
        "doctor/one",
        "from mergecast.incoming.intake.intake import Intake\n",
        "doctor/one imports incoming/intake/intake/Intake",
    ),
    (
        "only_the_opening_of_stores_knows_their_kinds",
        "queues/store/one",
        "from mergecast.queues.store.postgres import writer\n",
        "queues/store/one imports queues/store/postgres/writer",
    ),
    (
        "only_children_that_forecast_load_numerical_libraries",
        "api/one",
        "from mergecast.forecasting.forecast.search import search\n",
        "api/one imports forecasting/forecast/search/search",
    ),
    (
        "only_children_that_forecast_load_numerical_libraries",
        "forecasting/forecast/wording",
        "from mergecast.forecasting.estimate.lengths import lengths\n",
        "forecasting/forecast/wording imports forecasting/estimate/lengths/lengths",
    ),
    (
        "imports_run_without_a_store",
        "cli/one",
        "from mergecast.incoming.intake.intake import Intake\n",
        "cli/one imports incoming/intake/intake/Intake",
    ),
    (
        "imports_run_without_a_store",
        "incoming/intake/importing/one",
        "from mergecast.queues.store.store import Store\n",
        "incoming/intake/importing/one imports queues/store/store/Store",
    ),
    (
        "imports_run_without_a_store",
        "incoming/intake/importing/one",
        "from mergecast.incoming.intake import follower\n",
        "incoming/intake/importing/one imports incoming/intake/follower",
    ),
    ("pure_packages_touch_nothing_outside", "demo/one", "import os.path\n", "demo/one imports os"),
    ("pure_packages_touch_nothing_outside", "queues/model/a", "import jwt\n", "queues/model/a imports jwt"),
    (
        "packages_that_read_documents_touch_nothing_outside",
        "language/rules/one",
        "from pathlib import Path\n",
        "language/rules/one imports pathlib",
    ),
    (
        "sources_observe_and_translate_without_side_effects",
        "incoming/sources/gitlab/translate",
        "import time\n",
        "incoming/sources/gitlab/translate imports time",
    ),
    (
        "sources_observe_and_translate_without_side_effects",
        "incoming/sources/page",
        "from mergecast.incoming.platform.fetch import Fetcher\n",
        "incoming/sources/page imports incoming/platform/fetch/Fetcher",
    ),
    (
        "sources_observe_and_translate_without_side_effects",
        "incoming/sources/gitlab/deliveries",
        "from mergecast.incoming.sources.github.history.pages import HISTORY\n",
        "incoming/sources/gitlab/deliveries imports incoming/sources/github/history/pages/HISTORY",
    ),
    (
        "sources_observe_and_translate_without_side_effects",
        "incoming/sources/gitlab/deliveries",
        "from mergecast.incoming.sources import origin\n",
        "incoming/sources/gitlab/deliveries imports incoming/sources/origin",
    ),
    (
        "sources_observe_and_translate_without_side_effects",
        "incoming/sources/gitlab/deliveries",
        "from mergecast.incoming.sources.gitlab import SOURCE\n",
        "incoming/sources/gitlab/deliveries imports incoming/sources/gitlab/SOURCE",
    ),
    (
        "only_children_read_documents",
        "judge/one",
        "from mergecast.language.rules.simulate import simulate\n",
        "judge/one imports language/rules/simulate/simulate",
    ),
    ("only_children_read_documents", "cli/one", "import yaml\n", "cli/one imports yaml"),
    (
        "only_children_read_documents",
        "simulation/one",
        "from mergecast.language.configuration.read import read_configuration\n",
        "simulation/one imports language/configuration/read/read_configuration",
    ),
    (
        "only_the_child_imports_its_package",
        "judge/one",
        "from mergecast.judge.child import forking\n",
        "judge/one imports judge/child/forking",
    ),
    ("no_module_has_a_meaningless_name", "api/helpers/one", "", "api/helpers/one is called helpers"),
    ("modules_and_functions_stay_small", "api/one", "\n" * 601, "api/one has 601 lines"),
    ("modules_and_functions_stay_small", "api/one", _LONG_FUNCTION, "api/one long has 61 lines"),
]  # fmt: skip
_BY_NAME: dict[str, Rule] = {rule.__name__: rule for rule in RULES}
# A program that keeps every rule.
_SOUND = {
    "__init__": "",
    "queues/__init__": "",
    "forecasting/forecast/requirements": "from mergecast.queues.model.event import Event\n",
    "forecasting/forecast/answer": "",
    "forecasting/forecast/wording": "",
    "forecasting/explanation/answer": "",
    "judge/child/one": "import mergecast.language.rules.simulate\n",
    "queues/store/opening": "from mergecast.queues.store.sqlite.store import open_store\n",
    "queues/store/sqlite/one": "import sqlite3\n",
    "incoming/sources/github/__init__": "def late():\n    import mergecast.incoming.sources.github.history\n",
    "incoming/sources/github/history": "import asyncio\nimport mergecast.incoming.platform.fetch\n",
    "incoming/sources/github/translate": "import hashlib\nimport mergecast.incoming.sources.github.NAME\n",
}


def _program(folder: Path, modules: dict[str, str]) -> Tree:
    for place, text in modules.items():
        path = folder / f"{place}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Tree(folder)


@pytest.mark.parametrize(("rule", "place", "text", "expected"), PLANTED)
def test_a_planted_violation_is_found(
    tmp_path: Path, rule: str, place: str, text: str, expected: str
) -> None:
    sound = list(_BY_NAME[rule](_program(tmp_path / "sound", _SOUND)))
    planted = list(_BY_NAME[rule](_program(tmp_path / "planted", {**_SOUND, place: text})))

    assert ([], [expected]) == (sound, planted)


def test_every_rule_is_shown_to_fail() -> None:
    assert _BY_NAME.keys() == {rule for rule, *_ in PLANTED}
