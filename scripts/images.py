"""The images that deployments use. `deploy/images.json` lists them; every other file gets them from there.

`images.py write` writes them into the Compose file, the Kubernetes manifests and the Dockerfile.
`images.py look-up` asks the registries for the digests of images of others, with docker, and writes them.
`images.py set NAME IMAGE@DIGEST` replaces one: the workflow of a release does so with the image it pushed.
`images.py check` prints which images of others have no digest, and which files differ from the list.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from release_checks import release_of, version_of

ROOT = Path(__file__).parents[1]
LIST = Path("deploy/images.json")
FILES = (Path("compose.yaml"), Path("deploy/kubernetes/mergecast.yaml"), Path("Dockerfile"))
OWN = "mergecast"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_IN_YAML = re.compile(r"(?P<before>\bimage: )\S+(?P<after>  # (?P<name>\w+) of deploy/images\.json)")
_IN_DOCKERFILE = re.compile(r"(?P<before>^ARG (?P<name>[A-Z]+)_IMAGE=)\S+(?P<after>)$", re.MULTILINE)
_BUILT_HERE = re.compile(r"^  build: \.\n", re.MULTILINE)


def references(root: Path) -> dict[str, str]:
    """Every image with its digest, as far as that is known."""
    return {name: _reference(root, one) for name, one in _listed(root).items()}


def _reference(root: Path, one: dict[str, Any]) -> str:
    image = one["image"].replace("{version}", release_of(version_of(root)))
    return image if one["digest"] is None else f"{image}@{one['digest']}"


def _listed(root: Path) -> dict[str, dict[str, Any]]:
    listed: dict[str, dict[str, Any]] = json.loads((root / LIST).read_text(encoding="utf-8"))
    return listed


def _save(root: Path, listed: dict[str, dict[str, Any]]) -> None:
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(one)}" for name, one in listed.items())
    (root / LIST).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def written(root: Path, file: Path) -> str:
    """A file with the images of the list. What was released is not built again."""
    known = references(root)
    pattern = _IN_DOCKERFILE if file.name == "Dockerfile" else _IN_YAML
    text = pattern.sub(
        lambda found: f"{found['before']}{known[found['name'].lower()]}{found['after']}",
        (root / file).read_text(encoding="utf-8"),
    )
    return text if _listed(root)[OWN]["digest"] is None else _BUILT_HERE.sub("", text)


def write(root: Path) -> None:
    for file in FILES:
        (root / file).write_text(written(root, file), encoding="utf-8")


def replace_image(root: Path, name: str, reference: str) -> None:
    image, _, digest = reference.partition("@")
    listed = _listed(root)
    if name not in listed or not image or not _DIGEST.fullmatch(digest):
        known = ", ".join(listed)
        raise SystemExit(
            f"images.py: write NAME, one of {known}, and IMAGE:TAG@sha256:…, not {name} {reference}"
        )
    _save(root, {**listed, name: {"image": image, "digest": digest}})
    write(root)


def look_up(root: Path) -> None:
    """Of each image of others, the digest of the list of its architectures."""
    listed = _listed(root)
    for name, one in listed.items():
        if name != OWN:
            form = ["--format", "{{.Manifest.Digest}}", one["image"]]
            command = ["docker", "buildx", "imagetools", "inspect", *form]
            one["digest"] = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603
    _save(root, listed)
    write(root)


def problems(root: Path) -> Iterator[str]:
    missing = [name for name, one in _listed(root).items() if name != OWN and one["digest"] is None]
    if missing:
        advice = "run `scripts/release images` and commit what it writes"
        yield f"{LIST} has no digest of {', '.join(missing)}: {advice}"
    for file in FILES:
        if written(root, file) != (root / file).read_text(encoding="utf-8"):
            yield f"{file} has other images than {LIST}: run `python3 scripts/images.py write`"


def main() -> int:
    match sys.argv[1:]:
        case ["write"]:
            write(ROOT)
        case ["look-up"]:
            look_up(ROOT)
        case ["set", name, reference]:
            replace_image(ROOT, name, reference)
        case ["check"]:
            found = list(problems(ROOT))
            sys.stderr.writelines(f"scripts/release: {problem}\n" for problem in found)
            return 1 if found else 0
        case _:
            raise SystemExit("usage: images.py write | look-up | set NAME IMAGE@DIGEST | check")
    return 0


if __name__ == "__main__":
    sys.exit(main())
