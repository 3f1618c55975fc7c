"""Where in a repository its configuration document lies."""

# Only the first that exists is read.
DOCUMENT_PATHS = (".mergify.yml", ".mergify/config.yml", ".github/mergify.yml")
