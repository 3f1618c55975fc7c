"""How long a question may take, and how many are asked."""

SECONDS = 10.0  # for one question
SECONDS_FOR_ALL = 30.0  # for all questions to one server, and for looking at a folder or a store
MOST_REPOSITORIES = 20  # that a server is asked about: those with the newest events
