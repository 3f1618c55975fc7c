"""Metrics of queues in the text formats of Prometheus."""
