"""Tools for agents: questions about merge queues, each answered from requests to the HTTP API."""
