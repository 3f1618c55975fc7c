"""Answers of the API that are declared once: the server sends them, and commands read them."""
