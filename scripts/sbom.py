"""Print what a release contains as a CycloneDX list.

`sbom.py requirements FILE LICENSES`: FILE has pinned packages with their hashes, those that the image and the
Debian package install. LICENSES lists the packages in the built dashboard; its build writes it.

`sbom.py debian FOLDER`: FOLDER is a copy of an image's /var/lib/dpkg; an image without a package manager has
a file per package in `status.d`.
"""

import json
import re
import sys
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;\\]+)(?P<rest>[^\n]*)$")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_INSTALLED = "install ok installed"
_DISTRIBUTION = "debian-12"


def python_packages(file: Path) -> Iterator[dict[str, Any]]:
    """The packages of a file of requirements; each file of a package has its hash."""
    for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        found = _PINNED.match(line)
        if found is None:
            raise SystemExit(f"sbom.py: {file} has a line that pins no package: {line}")
        name = re.sub(r"[-_.]+", "-", found["name"]).lower()
        hashes = [{"alg": "SHA-256", "content": one} for one in _HASH.findall(found["rest"])]
        purl = f"pkg:pypi/{name}@{quote(found['version'])}"
        yield {**_component(name, found["version"], purl), "hashes": hashes}


def dashboard_packages(file: Path) -> Iterator[dict[str, Any]]:
    """The packages whose code is in the dashboard, with the text of their licences."""
    for one in json.loads(file.read_text(encoding="utf-8")):
        purl = f"pkg:npm/{quote(one['name'])}@{quote(one['version'])}"
        text = {"contentType": "text/plain", "content": "\n\n".join(one["texts"])}
        # An identifier of SPDX; a combination of several is only a name.
        name = "name" if " " in one["license"] else "id"
        licenses = [{"license": {name: one["license"], "text": text}}]
        yield {**_component(one["name"], one["version"], purl), "licenses": licenses}


def debian_packages(folder: Path) -> Iterator[dict[str, Any]]:
    """The installed packages of a dpkg database, sorted by name and architecture."""
    files = [file for file in (folder / "status", *sorted(folder.glob("status.d/*"))) if file.is_file()]
    if not files:
        raise SystemExit(f"sbom.py: {folder} is no dpkg database: it has no file `status`")
    texts = [text for file in files for text in file.read_text(encoding="utf-8").split("\n\n")]
    described = [dict(HeaderParser().parsestr(text.strip()).items()) for text in texts]
    installed = [one for one in described if one.get("Status", _INSTALLED) == _INSTALLED and "Package" in one]
    for fields in sorted(installed, key=lambda one: (one["Package"], one["Architecture"])):
        name, version = fields["Package"], fields["Version"]
        place = f"arch={fields['Architecture']}&distro={_DISTRIBUTION}"
        yield _component(name, version, f"pkg:deb/debian/{quote(name)}@{quote(version)}?{place}")


def _component(name: str, version: str, purl: str) -> dict[str, Any]:
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def main() -> None:
    kind, place, *more = sys.argv[1], *map(Path, sys.argv[2:])
    listed = list({"requirements": python_packages, "debian": debian_packages}[kind](place))
    for file in more:
        listed += dashboard_packages(file)
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": listed}
    json.dump(bom, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
