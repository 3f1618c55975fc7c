"""Reads everything known about a pull request at one instant from the code-hosting platform."""
