"""The HTTP API: one module of handlers per topic. `application.py` shows the path of a request."""
