"""Pictures of the documentation show the pages as they are."""

import pictures


def test_no_page_has_changed_since_its_picture_was_taken() -> None:
    """`scripts/screenshots` takes them again, and writes docs/images/pictures.json."""
    assert pictures.digests() == pictures.read_list(), "run scripts/run, then scripts/screenshots"
    taken = {path.stem for path in pictures.IMAGES.glob("*.webp")} - {"comment"}
    assert taken == pictures.SHOWN.keys()
