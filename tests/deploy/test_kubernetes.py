"""The Kubernetes manifests: valid, consistent with each other and with the image."""

import subprocess
import sys

import yaml

from deploy.files import DEPLOY, dockerfile, documents

_MANIFESTS = DEPLOY / "kubernetes" / "mergecast.yaml"
_KINDS = ["Deployment", "Service", "Ingress", "NetworkPolicy", "PodDisruptionBudget"]
_CLOSED = "mergecast-nothing"


def test_every_manifest_is_valid() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "kubernetes_validate", "--strict", str(_MANIFESTS)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == run.returncode, run.stdout + run.stderr
    assert len(_KINDS) + 1 == (run.stdout + run.stderr).count("passed for resource")


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


def test_the_ingress_does_not_show_the_metrics_of_the_process() -> None:
    """Their path leads to a service without pods; all other paths lead to the servers."""
    (rule,) = documents(_MANIFESTS)["Ingress"]["spec"]["rules"]
    found = [
        (path["path"], path["pathType"], path["backend"]["service"]["name"]) for path in rule["http"]["paths"]
    ]
    every = list(yaml.safe_load_all(_MANIFESTS.read_text(encoding="utf-8")))
    (closed,) = [one for one in every if one["metadata"]["name"] == _CLOSED]

    assert [("/metrics", "Exact", _CLOSED), ("/", "Prefix", "mergecast")] == found
    assert ("Service", False) == (closed["kind"], "selector" in closed["spec"])


def test_only_the_ingress_and_prometheus_reach_the_servers() -> None:
    """Each is named by its namespace and its labels together: a list of two entries would admit either."""
    (rule,) = documents(_MANIFESTS)["NetworkPolicy"]["spec"]["ingress"]
    admitted = [
        (
            peer["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"],
            peer["podSelector"]["matchLabels"],
        )
        for peer in rule["from"]
    ]

    assert [
        ("ingress-nginx", {"app.kubernetes.io/component": "controller"}),
        ("monitoring", {"app.kubernetes.io/name": "prometheus"}),
    ] == admitted
    assert [{"port": "http"}] == rule["ports"]


def test_servers_are_on_different_nodes_and_every_folder_has_a_limit() -> None:
    deployment = documents(_MANIFESTS)["Deployment"]["spec"]
    spec = deployment["template"]["spec"]
    (spread,) = spec["topologySpreadConstraints"]

    assert ("kubernetes.io/hostname", 1, "DoNotSchedule") == (
        spread["topologyKey"],
        spread["maxSkew"],
        spread["whenUnsatisfiable"],
    )
    assert deployment["selector"]["matchLabels"] == spread["labelSelector"]["matchLabels"]
    assert all(volume["emptyDir"]["sizeLimit"] for volume in spec["volumes"])


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
