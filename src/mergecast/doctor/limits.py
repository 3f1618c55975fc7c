"""How long a question may take, and how many are asked."""

SECONDS = 5.0  # for one question
SECONDS_FOR_ALL = 20.0  # for all questions to one server
MOST_REPOSITORIES = 20  # that a server is asked about: those with the newest events
