"""Environment and flags into one frozen value, read once."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from mergecast.access.guard import SHORTEST_TOKEN


class Settings(BaseSettings):
    """What the operator decides; every field can be set as MERGECAST_<NAME>."""

    model_config = SettingsConfigDict(env_prefix="MERGECAST_", frozen=True, hide_input_in_errors=True)

    data_dir: Path = Path("data")
    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    admin_token: str | None = None
    public_url: str | None = None

    @field_validator("admin_token")
    @classmethod
    def _long_enough(cls, token: str | None) -> str | None:
        if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or " " in token):
            raise ValueError(f"needs at least {SHORTEST_TOKEN} ASCII characters and no blank")
        return token

    @property
    def prefix(self) -> str:
        """The path that a proxy puts before ours."""
        return urlsplit(self.public_url or "").path.rstrip("/")
