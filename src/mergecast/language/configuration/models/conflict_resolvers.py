"""Conflict resolvers: files whose conflicts the merge queue resolves by itself. A preview of the service."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, PlainValidator, Tag, WithJsonSchema

from mergecast.language.configuration.models.options import TAG, Options, at_most, option
from mergecast.language.configuration.problems import InvalidField, Problem, invalid
from mergecast.language.configuration.wording import found, unknown_key
from mergecast.queues.model.nearest import nearest

# `ours` is the side of the batch, `theirs` that of the pull request that joins it.
Strategy = Literal[
    "union",
    "ours",
    "theirs",
    "prefer-ours",
    "prefer-theirs",
    "json",
    "pnpm",
    "uv",
    "rails-schema",
    "yarn",
    "typescript",
    "rails-structure",
    "rust",
    "python",
    "yaml",
    "cargo",
    "npm",
    "go",
    "gomod",
    "sbt",
    "terraform",
    "nix",
    "ruby",
    "swift",
    "mix",
    "hcl",
    "haskell",
    "java",
    "toml",
]
PackageManager = Literal["npm", "uv", "cargo", "gomod", "sbt", "terraform", "opentofu", "nix", "mix"]
Language = Literal[
    "typescript",
    "javascript",
    "rust",
    "python",
    "yaml",
    "go",
    "ruby",
    "swift",
    "terraform",
    "haskell",
    "java",
    "toml",
    "github-actions",
    "mergify",
]
Texts = Annotated[tuple[str, ...], at_most(at_least=1)]


def _true(value: Any) -> Literal[True]:
    if value is not True:
        raise invalid(f"Input should be `true`, {found(value)}; remove the entry to switch it off")
    return True


class Automatic(Options):
    """Every file for which the service has a strategy; it chooses the strategy."""

    auto: Annotated[Literal[True], PlainValidator(_true), WithJsonSchema({"const": True})] = option(
        "Resolve conflicts in every file for which there is a strategy that keeps both sides."
    )


class ByPaths(Options):
    """Files by path, with the strategy that resolves their conflicts."""

    paths: Texts = option("Files whose conflicts are resolved.")
    strategy: Strategy = option(
        "How conflicts are resolved: keep the lines of both sides (`union`), keep one side, or merge by the "
        "structure of the file."
    )


class ByPackageManager(Options):
    """The manifests and lockfiles of a package manager."""

    package_manager: PackageManager = option(
        "Resolve conflicts in the manifest and the lockfile of this package manager.",
        alias="package-manager",
    )
    directories: Texts = option("Directories that contain these files.")


class ByLanguage(Options):
    """The source files of a language."""

    language: Language = option("Resolve conflicts in the files of this language.")
    directories: Texts = option(
        "Directories that contain these files.", ("/",), json_schema_extra={"default": ["/"]}
    )


_WAYS = {"auto": Automatic, "package-manager": ByPackageManager, "language": ByLanguage, "paths": ByPaths}
_ADVICE = (
    "An entry names its files in one of four ways: `auto: true`, `paths` with `strategy`, "
    "`package-manager` with `directories`, or `language`"
)


def _names_files(value: Any) -> Any:
    if not isinstance(value, dict) or value.keys() & {*_WAYS, "strategy"}:
        return value
    near = [key for key in value if nearest(str(key), _WAYS)]
    if not near:
        raise invalid(_ADVICE)
    raise InvalidField(*(Problem(unknown_key(str(key), _WAYS, key), (key,), at_key=True) for key in near))


def _way(value: Any) -> str:
    if isinstance(value, Options):
        return f"{TAG}{type(value).__name__}"
    written = value if isinstance(value, dict) else {}
    chosen = next((model for key, model in _WAYS.items() if key in written), ByPaths)
    return f"{TAG}{chosen.__name__}"


ConflictResolver = Annotated[
    Annotated[Automatic, Tag(f"{TAG}Automatic")]
    | Annotated[ByPaths, Tag(f"{TAG}ByPaths")]
    | Annotated[ByPackageManager, Tag(f"{TAG}ByPackageManager")]
    | Annotated[ByLanguage, Tag(f"{TAG}ByLanguage")],
    Discriminator(_way),
    BeforeValidator(_names_files),
]
ConflictResolvers = Annotated[tuple[ConflictResolver, ...], at_most()]
