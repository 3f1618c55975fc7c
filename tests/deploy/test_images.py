"""One file lists every image; the others have what it says, and a release fills in the digests."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

import images
from deploy.files import ROOT

_DIGEST = f"sha256:{'a1' * 32}"
_OTHER = f"sha256:{'b2' * 32}"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the files that have images, in which those of others have digests."""
    for file in (*images.FILES, images.LIST, Path("src/mergecast/__init__.py")):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    for name, one in json.loads((tmp_path / images.LIST).read_text(encoding="utf-8")).items():
        if name != images.OWN:
            images.replace_image(tmp_path, name, f"{one['image']}@{_OTHER}")
    return tmp_path


def _used(root: Path) -> set[str]:
    """Every image that a file names, whether or not it is on the list."""
    compose = yaml.safe_load((root / "compose.yaml").read_text(encoding="utf-8"))["services"]
    manifests = (root / "deploy/kubernetes/mergecast.yaml").read_text(encoding="utf-8")
    dockerfile = (root / "Dockerfile").read_text(encoding="utf-8")
    return {
        *(service["image"] for service in compose.values()),
        *re.findall(r"^ +image: (\S+)", manifests, re.MULTILINE),
        *re.findall(r"^ARG \w+_IMAGE=(\S+)$", dockerfile, re.MULTILINE),
    }


def test_every_file_has_the_images_of_the_list() -> None:
    assert set(images.references(ROOT).values()) == _used(ROOT)
    assert [] == [one for one in images.problems(ROOT) if "no digest" not in one]


def test_a_release_fills_in_its_own_image(clone: Path) -> None:
    """Compose then uses it and builds none."""
    images.replace_image(clone, "mergecast", f"registry.example/mergecast:0.9.0@{_DIGEST}")

    assert f"registry.example/mergecast:0.9.0@{_DIGEST}" in _used(clone)
    assert all(re.search("@sha256:[0-9a-f]{64}$", image) for image in _used(clone))
    assert set(images.references(clone).values()) == _used(clone)
    assert [] == list(images.problems(clone))
    assert "build:" not in (clone / "compose.yaml").read_text(encoding="utf-8")


def test_a_file_that_was_changed_by_hand_is_noticed(clone: Path) -> None:
    file = clone / "compose.yaml"
    file.write_text(
        file.read_text(encoding="utf-8").replace("postgres:15@", "postgres:16@"), encoding="utf-8"
    )

    message = "compose.yaml has other images than deploy/images.json: run `python3 scripts/images.py write`"
    assert [message] == list(images.problems(clone))


def test_a_missing_digest_is_noticed(clone: Path) -> None:
    text = (clone / images.LIST).read_text(encoding="utf-8")
    (clone / images.LIST).write_text(text.replace(f'"{_OTHER}"', "null", 1), encoding="utf-8")
    images.write(clone)

    advice = "run `scripts/release images` and commit what it writes"
    assert [f"deploy/images.json has no digest of postgres: {advice}"] == list(images.problems(clone))


@pytest.mark.parametrize(
    "reference", ["mergecast:1", f"@{_DIGEST}", "mergecast:1@sha256:12", "mergecast:1@latest"]
)
def test_an_image_without_a_digest_is_refused(clone: Path, reference: str) -> None:
    before = (clone / images.LIST).read_text(encoding="utf-8")

    with pytest.raises(SystemExit, match="IMAGE:TAG@sha256:…"):
        images.replace_image(clone, "mergecast", reference)

    assert before == (clone / images.LIST).read_text(encoding="utf-8")
