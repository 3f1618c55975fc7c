"""One published statistic per file: its question, parameters and answer; also summary, stays and queues.

`published.py` lists the statistics. Their queries are in `queues/store/sql/`.
"""
