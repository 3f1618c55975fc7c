"""The settings of the queue of a base branch, as its platform told them."""

import msgspec
from msgspec import Struct


class SettingsInForce(Struct, frozen=True):
    """What the platform said when it was asked last; values by the names that forecasts use."""

    platform: str  # its title
    read_at: int
    values: dict[str, int | str]


read_standing = msgspec.json.Decoder(SettingsInForce).decode


def thread_of_settings(base_ref: str) -> str:
    """The thread whose standing says the settings; no branch has such a name."""
    return f"settings {base_ref}#"
