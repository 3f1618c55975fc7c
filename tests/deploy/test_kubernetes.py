"""The Kubernetes manifests: valid, consistent with each other and with the image."""

import subprocess
import sys

from deploy.files import DEPLOY, dockerfile, documents

_MANIFESTS = DEPLOY / "kubernetes" / "mergecast.yaml"
_KINDS = ["Deployment", "Service", "Ingress", "NetworkPolicy", "PodDisruptionBudget"]


def test_every_manifest_is_valid() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "kubernetes_validate", "--strict", str(_MANIFESTS)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == run.returncode, run.stdout + run.stderr
    assert len(_KINDS) == (run.stdout + run.stderr).count("passed for resource")


def test_everything_selects_the_servers() -> None:
    found = documents(_MANIFESTS)
    labels = found["Deployment"]["spec"]["template"]["metadata"]["labels"]

    assert _KINDS == list(found)
    assert labels == found["Deployment"]["spec"]["selector"]["matchLabels"]
    assert labels == found["Service"]["spec"]["selector"]
    assert labels == found["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]
    assert labels == found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]


def test_the_deployment_fits_the_image() -> None:
    """Its port, its user, and the only folders that the server writes to."""
    spec = documents(_MANIFESTS)["Deployment"]["spec"]["template"]["spec"]
    (container,) = spec["containers"]

    assert int(dockerfile(r"EXPOSE (\d+)")) == container["ports"][0]["containerPort"]
    assert int(dockerfile(r"--uid (\d+)")) == spec["securityContext"]["runAsUser"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    mounts = {mount["mountPath"] for mount in container["volumeMounts"]}
    assert {"/tmp", dockerfile(r"MERGECAST_DATA_DIR=(\S+)")} == mounts


def test_probes_ask_the_right_paths() -> None:
    """A server whose database is away must lose its traffic, not its life."""
    spec = documents(_MANIFESTS)["Deployment"]["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    paths = {
        probe: container[probe]["httpGet"]["path"]
        for probe in ("startupProbe", "livenessProbe", "readinessProbe")
    }

    assert paths == {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}


def test_the_service_monitor_finds_the_servers() -> None:
    found = documents(DEPLOY / "kubernetes" / "service-monitor.yaml")
    service = documents(_MANIFESTS)["Service"]
    monitor, queues = found["ServiceMonitor"], found["ScrapeConfig"]

    assert service["metadata"]["labels"] == monitor["spec"]["selector"]["matchLabels"]
    (endpoint,) = monitor["spec"]["endpoints"]
    assert ("http", "/metrics") == (endpoint["port"], endpoint["path"])
    assert endpoint["port"] in [port["name"] for port in service["spec"]["ports"]]
    assert "/v1/metrics" == queues["spec"]["metricsPath"]
    assert [{"targets": [service["metadata"]["name"]]}] == queues["spec"]["staticConfigs"]
