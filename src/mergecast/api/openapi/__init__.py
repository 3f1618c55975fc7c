"""The OpenAPI description of the HTTP API.

A route describes itself with the words of `operation.py`; `description.py` builds the document from all
routes.
"""
