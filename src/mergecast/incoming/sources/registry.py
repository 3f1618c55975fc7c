"""Every source, by name, in the order of the command line."""

from mergecast.incoming.sources import activity_log, bors, github, gitlab
from mergecast.incoming.sources.source import Source

SOURCES: dict[str, Source] = {
    package.SOURCE.name: package.SOURCE for package in (github, activity_log, gitlab, bors)
}
