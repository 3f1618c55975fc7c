"""The language of conditions: parsing, printing, and evaluation on a pull request."""
