"""Why a document is not simulated."""

from mergecast.errors import MergecastError
from mergecast.judge.messages import LONGEST_DOCUMENT, Answer


class DocumentRefused(MergecastError):
    """The submitted document is invalid. Only the first errors are listed."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("; ".join(error.text for error in answer.errors))
        self.errors, self.more = answer.errors, answer.more_errors


class CurrentDocumentTooLong(MergecastError):
    """The current document is longer than any document that is read."""

    def __init__(self) -> None:
        super().__init__(f"the current document has more than {LONGEST_DOCUMENT:,} characters")
