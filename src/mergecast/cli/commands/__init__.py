"""One module per topic, as in the API; `mergecast.cli.main` registers the commands."""
