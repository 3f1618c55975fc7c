"""The command line. Each module in `commands` has the commands of one topic; the modules here are shared.

A command module imports little when it is loaded, and the rest inside its function, so that `--help`,
`--version` and shell completion stay quick.
"""
