"""One published statistic per file: its question, parameters and answer; also summary, stays and queues."""
