"""The Grafana dashboard in `monitoring/` is what `scripts/grafana_dashboard.py` makes."""

import json
from typing import Any

import yaml

from grafana_dashboard import FILE, make


def _dashboard() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def test_the_file_is_current() -> None:
    """Otherwise run `.venv/bin/python scripts/grafana_dashboard.py`."""
    assert make() == FILE.read_text(encoding="utf-8")


def test_a_data_source_a_repository_a_branch_and_a_queue_can_be_chosen() -> None:
    assert ["datasource", "repository", "base_ref", "queue_name"] == [
        variable["name"] for variable in _dashboard()["templating"]["list"]
    ]


def test_every_panel_follows_the_choice() -> None:
    """Also of the data source."""
    for panel in _dashboard()["panels"]:
        assert "${datasource}" == panel["datasource"]["uid"]
        for target in panel["targets"]:
            assert "$repository" in target["expr"], panel["title"]


def test_compose_mounts_files_that_exist() -> None:
    """The profile `monitoring` starts Prometheus and Grafana with the files of this folder."""
    root = FILE.parents[1]
    services = yaml.safe_load((root / "compose.yaml").read_text(encoding="utf-8"))["services"]
    watching = {
        name: service for name, service in services.items() if service.get("profiles") == ["monitoring"]
    }

    mounted = [volume.split(":")[0] for service in watching.values() for volume in service["volumes"]]

    assert {"prometheus", "grafana"} == watching.keys()
    assert [] == [path for path in mounted if path.startswith("./") and not (root / path).is_file()]
