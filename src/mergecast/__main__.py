"""`python -m mergecast`."""

from mergecast.cli.main import main

main()
