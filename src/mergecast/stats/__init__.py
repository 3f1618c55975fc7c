"""One published statistic per file: the question, its parameters and the answer's shape."""
