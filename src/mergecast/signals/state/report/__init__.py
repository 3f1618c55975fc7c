"""A period of a repository's queues as one page for mail, a wiki or paper."""
