"""The command line. Each module in `commands` defines one command; the modules here are what they share.

A command module imports little when it is loaded, and the rest inside its function, so that `--help`,
`--version` and shell completion stay quick.
"""
