"""The Dockerfile and the Compose file pass their linters, and agree with the other files."""

import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import yaml

from deploy.files import ROOT, dockerfile
from mergecast import __version__
from release_checks import release_of


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


def _services(profile: str | None) -> dict[str, Any]:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    wanted = None if profile is None else [profile]
    return {name: service for name, service in services.items() if service.get("profiles") == wanted}


def test_without_a_profile_compose_starts_one_server() -> None:
    (server,) = _services(None).values()

    assert ["data:/data"] == server["volumes"]
    assert server["read_only"]
    assert f"mergecast:{release_of(__version__)}" == server["image"]


def test_one_profile_runs_two_servers_on_one_database() -> None:
    """The proxy needs everything else, so that it is enough to start it: the one server stays away."""
    services = _services("postgres")
    servers = {"server-1", "server-2"}

    assert {"database", "proxy", *servers} == services.keys()
    assert servers == services["proxy"]["depends_on"].keys()
    assert [{"database"}] * 2 == [set(services[name]["depends_on"]) for name in sorted(servers)]
    assert 1 == len({services[name]["environment"]["MERGECAST_DATABASE_URL"] for name in servers})


def test_every_service_comes_back_after_a_reboot() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]

    assert {"unless-stopped"} == {service.get("restart") for service in services.values()}


def test_servers_believe_their_proxy_alone() -> None:
    """It shares one network with them, in which it has the address that they trust."""
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    services = compose["services"]
    proxy, server = services["proxy"]["networks"], services["server-1"]
    (shared,) = set(proxy) & set(server["networks"])
    (subnet,) = compose["networks"][shared]["ipam"]["config"]
    address = proxy[shared]["ipv4_address"]

    assert address == server["environment"]["MERGECAST_TRUSTED_PROXIES"]
    assert ip_address(address) in ip_network(subnet["subnet"])
    assert server["networks"] == services["server-2"]["networks"]
    assert "mergecast" in proxy["front"]["aliases"]
    assert "front" in services["prometheus"]["networks"]


def test_monitoring_has_no_password_that_everyone_knows() -> None:
    """Compose refuses to start a service whose secret comes from a variable that is not set."""
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    services, secrets = compose["services"], compose["secrets"]
    grafana = services["grafana"]

    (password,) = grafana["secrets"]
    assert f"/run/secrets/{password}" == grafana["environment"]["GF_SECURITY_ADMIN_PASSWORD__FILE"]
    assert {"environment": "GRAFANA_PASSWORD"} == secrets[password]
    (token,) = services["prometheus"]["secrets"]
    assert {"environment": "MERGECAST_METRICS_KEY"} == secrets[token["source"]]
    assert {"127.0.0.1"} == {
        port.split(":")[0] for service in services.values() for port in service.get("ports", ())
    }


def test_the_temporary_folder_of_servers_has_a_limit() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]

    for name in ("mergecast", "server-1", "server-2"):
        assert ["/tmp:size=256m"] == services[name]["tmpfs"]


def test_the_image_copies_files_that_exist() -> None:
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copies = [line.split()[1:-1] for line in text.splitlines() if line.startswith("COPY")]
    copied = {name for names in copies if not names[0].startswith("--from=") for name in names}

    assert {"dashboard", "dist", "src", "setup.py"} <= copied
    assert [] == [name for name in copied - {"dist"} if not (ROOT / name).exists()]


def test_the_image_is_of_this_version() -> None:
    """Or of the one that it becomes; `scripts/build image` passes this version."""
    assert release_of(__version__) == dockerfile(r"ARG VERSION=(\S+)")
