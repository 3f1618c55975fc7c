"""The command `mergecast` of a program whose list of sources has one more."""

from mergecast.incoming.sources.registry import SOURCES
from sources.toy import SOURCE

SOURCES[SOURCE.name] = SOURCE

if __name__ == "__main__":
    from mergecast.cli.main import main

    main()
