"""One command per module; `mergecast.cli.main` registers them."""
